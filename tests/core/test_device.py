from core_goldens import cases, check


@cases("device")
def test_as_tensorflow(expression):
    check("device", expression)

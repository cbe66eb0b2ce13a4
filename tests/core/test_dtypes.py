from core_goldens import cases, check


@cases("dtypes")
def test_as_tensorflow(expression):
    check("dtypes", expression)

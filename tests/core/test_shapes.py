from core_goldens import cases, check


@cases("shapes")
def test_as_tensorflow(expression):
    check("shapes", expression)

from core_goldens import cases, check


@cases("tensor_shape")
def test_as_tensorflow(expression):
    check("tensor_shape", expression)

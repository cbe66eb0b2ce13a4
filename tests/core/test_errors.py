import pytest
from core_goldens import cases, check

from tf1compat.core import errors


@cases("errors")
def test_as_tensorflow(expression):
    check("errors", expression)


def test_unknown_class_and_code():
    with pytest.warns(UserWarning, match="Unknown class exception"):
        error = errors.error_code_from_exception_type(ValueError)
    assert isinstance(error, errors.UnknownError) and error.error_code is None
    with pytest.warns(UserWarning, match="Unknown error code: 99"):
        assert errors.make_exception(None, None, "text", 99).error_code == 99


def test_a_status_that_is_not_ok_is_raised():
    with errors.raise_exception_on_not_ok_status():
        pass
    with (
        pytest.raises(errors.NotFoundError, match="no such file"),
        errors.raise_exception_on_not_ok_status() as status,
    ):
        status.code, status.message = errors.NOT_FOUND, "no such file"


def test_a_users_own_subclass_pickles():
    error = MyError(None, "text")
    function, args = error.__reduce__()
    assert function(*args).message == "text" and len(args) == 2


class MyError(errors.OpError):
    def __init__(self, node_def, message):
        super().__init__(node_def, None, message, errors.INTERNAL)

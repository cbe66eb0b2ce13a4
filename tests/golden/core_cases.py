"""What the goldens of core ask: expressions, evaluated once with TensorFlow 1.15 and then with us.

Runs under Python 3.7 too. `evaluate` turns an outcome, an error as well, into JSON.
"""

import itertools

import numpy as np

TYPE_NAMES = """float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64
    complex64 complex128 bool string resource variant qint8 quint8 qint16 quint16 qint32""".split()
_PROPERTIES = """name base_dtype real_dtype _is_ref_dtype _as_ref as_datatype_enum is_bool
    is_integer is_floating is_complex is_quantized is_unsigned is_numpy_compatible size min max
    limits as_numpy_dtype""".split()


def dtypes_cases():
    names = TYPE_NAMES + [name + "_ref" for name in TYPE_NAMES]
    for name in names:
        yield "str(dtypes.{0}), repr(dtypes.{0}), hash(dtypes.{0})".format(name)
        for attr in _PROPERTIES:
            if name.startswith("bfloat16") and attr == "limits":
                continue  # an error that prints the NumPy type, which is not the same one
            yield "dtypes.{}.{}".format(name, attr)
    for value in """int str bytes float bool object complex None 0 1 99 101 1.0 True np.int32(3)
        np.intc np.uintc np.longlong np.str_ np.bytes_ np.object_ np.datetime64
        np.bool_ np.dtype('q') np.dtype('U3') np.dtype('S') np.dtype('O') np.dtype('>f4')
        dtypes.float32_ref 'int' 'str' 'half' 'double_ref' 'float32' 'string' dtypes.qint8
        np.dtype([('qint8',np.int8)]) [1] (1,2)""".split():
        yield "dtypes.as_dtype({})".format(value)
    for other in """'float32' np.float32 np.float64 float None 1 dtypes.float32_ref object()
        np.dtype('f4') 'nonsense'""".split():
        yield "dtypes.float32 == {0}, dtypes.float32 != {0}".format(other)
    for a, b in itertools.product(["float32", "float32_ref", "int32"], repeat=2):
        yield "dtypes.{}.is_compatible_with('{}')".format(a, b)
    yield "dtypes.DType(1), dtypes.DType(101)"
    yield "dtypes.DType(0)"
    yield "dtypes.DType(200)"
    yield "sorted(d.name for d in dtypes.QUANTIZED_DTYPES)"
    yield "sorted(d.name for d in dtypes.TF_VALUE_DTYPES)"
    yield "pickle.loads(pickle.dumps(dtypes.int64_ref)) == dtypes.int64_ref"


def tensor_shape_cases():
    dimensions = ["D(3)", "D(2)", "D(None)", "2", "None", "0", "1.5", "'2'", "'x'", "-1"]
    for op in "+ - * // % / < <= > >= == !=".split():
        for a, b in itertools.product(dimensions[:3], dimensions):
            if not (op in ["//", "%"] and b == "0"):  # Python's own text, which has changed
                yield "{} {} {}".format(a, op, b)
            yield "{} {} {}".format(b, op, a)
    for value in ["3", "None", "D(3)", "'3'", "2.0", "2.5", "-1", "np.int64(4)", "dtypes.int32"]:
        yield "repr(D({0})), str(D({0})), D({0}).value".format(value)
    for method in ["is_compatible_with", "merge_with", "assert_is_compatible_with"]:
        for a, b in itertools.product(["D(3)", "D(None)"], ["3", "4", "None", "D(3)", "'x'"]):
            yield "{}.{}({})".format(a, method, b)
    yield "int(D(3)), list(range(D(2))), [1, 2, 3][D(1)]"
    yield "hash(D(3))"

    shapes = ["S(None)", "S([])", "S([2])", "S([2, None])", "S([2, 3])", "S([None, 4, 5])"]
    for s in shapes:
        yield "str({0}), repr({0}), {0}.rank, {0}.ndims, bool({0})".format(s)
        for call in """as_list() num_elements() is_fully_defined() assert_is_fully_defined() dims
            as_proto() __len__() assert_has_rank(2) with_rank(2) with_rank_at_least(2)
            with_rank_at_most(1)""".split():
            yield "{}.{}".format(s, call)
        for key in ["0", "-1", "1:", ":2", ":-1", "::2", "1:3", "5"]:
            yield "{}[{}]".format(s, key)
        yield "list({})".format(s)
        yield "S({0}) == {0}, pickle.loads(pickle.dumps({0})).dims is None".format(s)
        yield "[(s == s, S(s) == s, s == s[:]) for s in [{}]]".format(s)
    others = shapes + ["[2, 4]", "None", "2", "[D(2)]", "'ab'"]
    for method in """merge_with concatenate is_compatible_with assert_is_compatible_with
        assert_same_rank most_specific_compatible_shape""".split():
        for a, b in itertools.product(shapes, others):
            yield "{}.{}({})".format(a, method, b)
    for op in ["==", "!=", "+"]:
        for a, b in itertools.product(shapes, others):
            yield "{} {} {}".format(a, op, b)
    for value in ["(2, 3)", "3", "[1.5]", "[-1]", "'3'", "b'3'", "np.array([1, 2])", "['3', D(4)]"]:
        yield "S({})".format(value)
    yield "S(S([1, None]).as_proto()), S(S(None).as_proto())"
    yield "shapes.unknown_shape(), shapes.unknown_shape(2), shapes.unknown_shape(ndims=1)"
    yield "shapes.unknown_shape(foo=1)"
    yield "shapes.dimension_value(D(3)), shapes.dimension_value(4), shapes.dimension_value(None)"
    yield "shapes.dimension_at_index(S([1, 2]), 1), shapes.dimension_at_index(S(None), 1)"
    yield "hash(S([1]))"


def shapes_cases():
    dims = [None, 0, 1, 2, 3]
    for a, b in itertools.product(dims, repeat=2):
        yield "broadcast(({},), ({},))".format(a, b)
    for a, b in [((2, 3), (3,)), ((2, 3), (2,)), ((2, 1), (1, 5)), ((), (4,)), ((2, None), (2, 1))]:
        yield "broadcast({}, {})".format(a, b)
    yield "broadcast(None, (2,))"
    pairs = [((2, None), (None, 3)), ((2, None), (3, 4)), ((2,), (3, 4)), (None, (2,)), ((), ())]
    for a, b in [*pairs, ((1, 2), (1, None)), ((4, 2), (4, 3))]:
        yield "merge({}, {})".format(a, b)
    for shape in [None, (), (2,), (2, 3), (None, 3), (1, 2, 3)]:
        yield "with_rank({}, 2)".format(shape)
        yield "with_rank_at_least({}, 2)".format(shape)
        yield "num_elements({})".format(shape)
    for shape in [(0, None), (None, 0), (2, 3, 4)]:
        yield "num_elements({})".format(shape)
    for a, b in [(5, 3), (2, 3), (None, 3), (3, 3)]:
        yield "subtract_dims({}, {})".format(a, b)
    for a, b in [(6, 3), (5, 2), (None, 3), (4, 1)]:
        yield "divide_dims({}, {})".format(a, b)


def errors_cases():
    for code in range(17):
        yield "errors.exception_type_from_error_code({}).__name__".format(code)
    for name in """CancelledError UnknownError InvalidArgumentError DeadlineExceededError
        NotFoundError AlreadyExistsError PermissionDeniedError UnauthenticatedError
        ResourceExhaustedError FailedPreconditionError AbortedError OutOfRangeError
        UnimplementedError InternalError UnavailableError DataLossError""".split():
        yield "errors.error_code_from_exception_type(errors.{})".format(name)
        yield (
            "[(e.message, e.op, e.node_def, e.error_code, str(e), isinstance(e, errors.OpError))"
            " for e in [errors.{}(None, None, 'text')]]".format(name)
        )
    yield "errors.UnknownError(None, None, 'm', 42).error_code"
    pickled = "pickle.loads(pickle.dumps(errors.AbortedError(None, None, 'text')))"
    yield "[(type(e).__name__, e.message, e.error_code) for e in [{}]]".format(pickled)
    frames = [("/a/b/c.py", 1, "f", "x"), ("/a/b/d.py", 2, "g", "y"), ("/a/b/d.py", 3, "g", "z")]
    one = "op('one', {})".format(frames + [("/a/b/e.py", 4, "h", "w")])
    two = "op('two', {}, {})".format(frames + [("/a/b/e.py", 5, "h", "w")], one)
    # Here the last run of equal lines is not closed.
    three = "op('three', {}, {})".format(frames, two)
    short = "op('short', {}, {})".format(frames[:2] + [("/a/b/e.py", 9, "h", "w")], one)
    for value in [one, two, three, short]:
        yield "str(errors.InvalidArgumentError(None, {}, 'text'))".format(value)


def device_cases():
    strings = """/gpu:0 gpu:0 /cpu /CPU:3 /Gpu:1 /device:GPU:0 /device:gpu:1 /device:XLA_CPU:*
        /job:a/task:0/device:GPU:1 /job:ps /replica:1/task:2 /gpu:0:1 /foo /job:a:b /cpu:0/gpu:1
        /device:GPU job /gpu:x /task:x /job:localhost/replica:0/task:0/device:CPU:0""".split()
    for text in [*strings, ""]:
        yield "device.canonical_name({!r})".format(text)
    yield "device.canonical_name(None)"
    for outer, inner in itertools.product(["/job:a/gpu:1", "/cpu:0", "/task:3", ""], repeat=2):
        yield "device.merge_device({!r})(node({!r})).to_string()".format(outer, inner)
        yield "device.merge_device({!r}).shortcut_string_merge(node({!r}))".format(outer, inner)
    stacks = """'/gpu:0' '/job:a','/gpu:1' '/gpu:1',None '/gpu:1',None,'/job:x' '' '/gpu:0','' None
        'bad' b'/gpu:0' 5 DeviceSpec(job='a',device_index=4),'/gpu:*' '/gpu:0',DeviceSpec(task=1)
        '/gpu:0',DeviceSpec(device_index=4) device.merge_device('/cpu:1')"""
    for scopes in stacks.split():
        yield "device_of({})".format(scopes)
    for function in [
        "lambda op: '/gpu:0'",
        "lambda op: None",
        "lambda op: b'/gpu:1'",
        "lambda op: ''",
        "lambda op: DeviceSpec(job='a')",
        "lambda op: op.device + '/task:1'",
    ]:
        yield "device_of({})".format(function)
        yield "device_of('/cpu:0', {})".format(function)
        yield "device_of({}, '/job:b')".format(function)
    yield "device.merge_device('').is_null_merge, device.merge_device('/cpu:0').is_null_merge"
    yield "device.merge_device('/nothing')"
    yield "device.merge_device('/gpu:0') is device.merge_device('/gpu:0')"
    spec = "DeviceSpec(job='a', task='1', device_type='gpu', device_index='2')"
    for attr in ["job", "replica", "task", "device_type", "device_index"]:
        yield "{}.{}".format(spec, attr)
    yield "{}.to_string()".format(spec)
    yield "{}.replace(task=None, device_type='CPU').to_string()".format(spec)
    yield "{}.make_merged_spec(DeviceSpec.from_string('/cpu:*')).to_string()".format(spec)
    yield "{}.parse_from_string('/job:z').to_string()".format(spec)
    yield "[(s.merge_from(DeviceSpec(job='q')), s.to_string()) for s in [{}]]".format(spec)
    yield "[(setattr(s, 'device_type', 'cpu'), s.to_string()) for s in [{}]]".format(spec)
    yield "{0} == {0}, hash({0}) == hash({0}), {0} == DeviceSpec()".format(spec)


def tensor_proto_cases():
    ragged = ["[[1, 2], [3]]", "[[1], 2]", "[1, [2, 3]]", "[[[1, 2], [3, 4]], [[5, 6], [7]]]"]
    values = """1 1.5 True 1j 'a' b'a\\0' 'é' None [] [[]] [[],[]] (1,2) [(1,2),(3,4)] [1,2.5]
        [True,1] [1,'a'] [1.5,b'x'] [None] 2147483648 2**63 2**64 [2**31,1] [2**31-1] -2**31 [1e300]
        [b'a\\0',b'b'] range(3) {'a':1} {1,2} [D(3)] 1e300 [1j,2] [[1.0],[2.0]] bytearray(b'abc')
        np.float32(1.5) np.int64(3) np.str_('a') np.bytes_(b'a\\0') np.array([1.5,2.5])
        np.array([[1,2],[3,4]],order='F') np.arange(6).reshape(2,3)[:,::2] np.array([],np.float64)
        np.zeros((2,0),np.int32) np.array([1,2],np.uint16) np.array([1],np.uint32)
        np.array([1,2],np.uint64) np.float16([1,2]) np.array(3+4j) np.array([True,False])
        np.array(['a','é']) np.array([b'a\\0',b'b']) np.array(['a',1],object) np.datetime64(1,'D')
        np.longdouble(1) [np.array(1.),2.] [np.array([1.,2.])]""".split()
    typed = {
        "float32": ["1", "1.5", "'a'", "[None]", "None", "1e300", "10**40", "10**400", "[D(3)]"]
        + ["[[1, 2], [3]]", "[np.float64(1.5)]", "[np.array(1.)]", "{'a': 'b'}", "True"]
        + ["np.array(['1.5'])", "np.array([1, 2])", "0.1"],
        "float64": ["1", "[10**40]", "0.1", "np.float32(0.1)", "1j"],
        "float16": ["1.", "[1, 2]", "70000.", "0.1"],
        "bfloat16": ["1", "1 + 3 * 2.**-9", "1 + 2.**-8", "[1., 2.]", "np.float32(3.1)", "10**40"],
        "int8": ["1", "[300]", "-129", "1.5"],
        "int16": ["[1, 2]", "70000"],
        "int32": ["1.5", "[1, [2.5]]", "['a']", "[True]", "2**40", "2**63", "[-2**70, 2]"]
        + ["[D(3)]", "[D(None)]", "[np.bool_(True)]", "[np.float32(1.5)]", "[[1], 2]"]
        + ["np.array([1.5, -2.5])", "{'b': 1.5, 'a': 'x'}", "(1, 2)", "np.int64(7)"],
        "int64": ["1", "2**63", "[2**63]", "2**70", "[D(3), 4]", "[1, 2]"],
        "uint8": ["300", "-1", "[1, 2]", "2**65"],
        "uint16": ["[1, -1]", "1"],
        "uint32": ["-1", "[1, 2]"],
        "uint64": ["-1", "[-1, 2]", "2**70", "2**64-1"],
        "bool": ["1", "[1, True]", "True", "[[True], [False]]", "np.array([0, 2])"],
        "string": ["1", "'a'", "[]", "['a', b'b']", "[['a'], ['b', 'c']]", "np.array([1, 2])"]
        + ["np.array(['a'], object)", "'x' * 3"],
        "complex64": ["1", "1j", "[1j, 2]"],
        "complex128": ["[1j]", "1.5"],
        "qint8": ["(3,)", "[(3,), (4,)]", "[3]", "3", "np.array([1, 2])"],
        "quint8": ["[(3,)]", "[[(3,)], [(4,)]]"],
        "qint16": ["[(3,), (4,)]", "[('a',)]"],
        "qint32": ["[(3,)]", "np.array([1])"],
        "resource": ["1", "np.array([1])"],
        "variant": ["[1]"],
        "float32_ref": ["1", "[1.5, 2]"],
        "int32_ref": ["1", "1.5"],
    }
    shaped = """1,shape=[2,3]|[1,2,3],shape=[2,3]|[1,2,3],shape=[2]|1,shape=[]|[1],shape=[1]
        |[1,2],shape=[2,1]|1.,shape=[0]|np.float32(1),shape=[0]|[1,2],shape=[1,2],verify_shape=True
        |1,shape=[2],verify_shape=True,allow_broadcast=True|[1,2],shape=[3],allow_broadcast=True
        |[1],shape=[3],allow_broadcast=True|np.float32(1),shape=[0],allow_broadcast=True
        |[],shape=[2],dtype=dtypes.int32|[],shape=[2],dtype=dtypes.string|1,shape=[-1]|1,shape=3
        |1,shape=[D(2)]|1,shape=S([2])|1,shape=[0,D(2)]|['a','b'],shape=[3]|'a',shape=[2,2]
        |['a'],shape=[0],dtype=dtypes.string|'a',shape=[0]|[[1,2],[3,4]],shape=[4]
        |1,dtype='int64'|1,dtype=3|1,dtype=np.int64|True,shape=[2]|1.5,dtypes.float16,shape=[3]
        |[1,2],dtypes.complex64,shape=[3]|(3,),dtypes.qint8,shape=[4]|[1.5],dtypes.bfloat16,shape=[2]
        """.split("|")
    calls = values + ragged + [call.strip() for call in shaped]
    for dtype, inputs in typed.items():
        calls += ["{}, dtypes.{}".format(v, dtype) for v in inputs]
    for call in calls:
        yield "make({})".format(call)
    # Written by hand, by C++ or by another program: other forms of the same values.
    for fields in [
        "dtype=1, float_val=[1., 2.], tensor_shape=S([2]).as_proto()",
        "dtype=1, float_val=[1., 2.], tensor_shape=S([2, 2]).as_proto()",
        "dtype=3, int_val=[7], tensor_shape=S([3]).as_proto()",
        "dtype=3, tensor_shape=S([3]).as_proto()",
        "dtype=7, string_val=[b'a', b'b'], tensor_shape=S([3]).as_proto()",
        "dtype=10, bool_val=[True], tensor_shape=S([2]).as_proto()",
        "dtype=19, half_val=[15360], tensor_shape=S([2]).as_proto()",
        "dtype=8, scomplex_val=[1., 2.], tensor_shape=S([2]).as_proto()",
        "dtype=4, tensor_content=b'abc', tensor_shape=S([3]).as_proto()",
        "dtype=20",
        "dtype=0",
    ]:
        yield "array(TensorProto({}))".format(fields)
    numeric = "float32 float64 float16 int8 int16 int32 int64 uint8 uint16".split()
    for dtype in [*numeric, "complex64", "complex128", "bfloat16"]:
        yield "array(make([[1, 2], [3, 4]], dtypes.{}))".format(dtype)
        yield "array(make(1, dtypes.{}, [2, 2]))".format(dtype)
        yield "array(make([1, 2], dtypes.{}, [4]))".format(dtype)
    for call in ["'a'", "['a', b'b\\0']", "'a', shape=[2]", "True", "[True, False], shape=[3]"]:
        yield "array(make({}))".format(call)


SECTIONS = {
    "dtypes": dtypes_cases,
    "tensor_shape": tensor_shape_cases,
    "shapes": shapes_cases,
    "errors": errors_cases,
    "device": device_cases,
    "tensor_proto": tensor_proto_cases,
}


class FakeOp(object):
    """As much of an operation as an error message needs."""

    def __init__(self, name, frames, original=None):
        self.name, self.traceback, self._original_op = name, frames, original


class FakeNode(object):
    """As much of a NodeDef as a device function needs."""

    def __init__(self, device):
        self.device = device


def evaluate(expression, namespace):
    """The outcome of an expression as JSON: ["value", …] or ["error", class, text]."""
    try:
        return ["value", encode(eval(expression, dict(namespace)))]
    except Exception as e:
        return ["error", type(e).__name__, str(e)]


def encode(value):
    """A value as JSON, NumPy's and protobuf's in a form that all their versions share."""
    if hasattr(value, "SerializeToString"):
        return {"proto": value.SerializeToString().hex()}
    if isinstance(value, np.ndarray):
        # Our bfloat16 and TF's print alike, but their dtypes have no common name.
        kind = value.dtype.str if value.dtype.kind in "biufcO" else "other"
        items = [encode(v) for v in value.ravel()]
        return {"array": [kind, list(value.shape), items]}
    if type(value).__name__ == "bfloat16":
        return repr(float(value))
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, (list, tuple)):
        return [encode(v) for v in value]
    if isinstance(value, type):
        return value.__name__
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return repr(value)

"""Eager execution.  Values, texts and printed forms are those of TensorFlow 1.15."""

from __future__ import annotations

import copy
import pickle
import re

import count_compilations
import numpy as np
import pytest

from tf1compat.api.control_flow import control_flow_util
from tf1compat.core import context
from tf1compat.runtime import eager as runtime_eager
from tf1compat.runtime import tiers


@pytest.fixture
def tf(tensorflow):
    """The `tensorflow` module as after `tf.enable_eager_execution()`."""
    tensorflow.reset_default_graph()
    tensorflow.enable_eager_execution()
    tensorflow.set_random_seed(None)  # whatever other tests in this process have drawn
    yield tensorflow
    tensorflow.set_random_seed(None)
    context.set_eager_by_default(False)


def printed(value) -> str:
    """`repr(value)` without the number of the tensor, which counts all that were made before."""
    return re.sub(r"id=\d+", "id=N", repr(value))


class TestTensor:
    def test_printing(self, tf):
        matrix = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        assert printed(matrix) == (
            "<tf.Tensor: id=N, shape=(2, 2), dtype=float32, numpy=\n"
            "array([[1., 2.],\n       [3., 4.]], dtype=float32)>"
        )
        assert str(matrix) == "tf.Tensor(\n[[1. 2.]\n [3. 4.]], shape=(2, 2), dtype=float32)"
        assert str(tf.constant(1.5)) == "tf.Tensor(1.5, shape=(), dtype=float32)"
        assert printed(tf.constant(1.0, tf.float16)).endswith("dtype=float16, numpy=1.0>")
        assert printed(tf.constant(True)) == "<tf.Tensor: id=N, shape=(), dtype=bool, numpy=True>"
        assert str(tf.constant("text")) == "tf.Tensor(b'text', shape=(), dtype=string)"
        assert printed(tf.constant(["a", "bc"])) == (
            "<tf.Tensor: id=N, shape=(2,), dtype=string, numpy=array([b'a', b'bc'], dtype=object)>"
        )
        assert printed(tf.zeros([0])).endswith("numpy=array([], dtype=float32)>")
        assert "shape=(1200,)" in repr(tf.zeros([1200]))
        assert "..., 0., 0., 0.], dtype=float32)>" in repr(tf.zeros([1200]))
        assert f"{tf.constant(1.5):.2f} {tf.constant([1, 2])}" == "1.50 [1 2]"

    def test_numbers_of_tensors_grow(self, tf):
        first, second = tf.constant(1), tf.constant(1)
        assert second._id == first._id + 1

    def test_as_python_and_numpy(self, tf):
        x, i = tf.constant(1.5), tf.constant([1, 2, 3])
        assert (int(x), float(x), bool(x), len(i), [1, 2, 3][tf.constant(1)]) == (
            1,
            1.5,
            True,
            3,
            2,
        )
        assert type(x.numpy()) is np.float32
        assert type(tf.constant("a").numpy()) is bytes
        array = i.numpy()
        array[0] = 100
        np.testing.assert_array_equal(i, [1, 2, 3])
        np.testing.assert_array_equal(np.add(i, 1), [2, 3, 4])
        assert type(np.ones(3, np.int32) + i) is type(i)
        with pytest.raises(ValueError, match="truth value of an array with more than one element"):
            bool(i)
        with pytest.raises(TypeError, match=r"Scalar tensor has no `len\(\)`"):
            len(x)
        with pytest.raises(TypeError, match=r"Cannot iterate over a scalar tensor\."):
            list(x)
        assert [int(item) for item in i] == [1, 2, 3]

    def test_python_control_flow(self, tf):
        total = tf.constant(0)
        while total < 10:
            total += 3
        assert int(total) == 12
        assert ("large" if tf.reduce_sum(total) > 5 else "small") == "large"

    def test_a_constant_does_not_follow_its_array(self, tf):
        for size in (3, 10_000):
            array = np.zeros(size, np.float32)
            x = tf.constant(array)
            array[:] = 1
            assert not x.numpy().any()

    def test_copies(self, tf):
        x = tf.constant([1.0, 2.0])
        assert copy.copy(x) is x
        assert copy.deepcopy(x) is x
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(x)), x)
        assert x.experimental_ref().deref() is x

    @pytest.mark.parametrize("name", ["op", "graph", "name", "value_index"])
    def test_what_only_recorded_tensors_have(self, tf, name):
        with pytest.raises(AttributeError) as caught:
            getattr(tf.constant(1), name)
        assert str(caught.value) == f"Tensor.{name} is meaningless when eager execution is enabled."

    def test_other_attributes(self, tf):
        x = tf.constant([1, 2])
        assert x.device == "/job:localhost/replica:0/task:0/device:CPU:0"
        assert (x.ndim, x.shape, x._shape_tuple()) == (1, tf.TensorShape([2]), (2,))
        with pytest.raises(
            ValueError, match=r"Tensor's shape \(2,\) is not compatible with .* \[3\]"
        ):
            x.set_shape([3])
        with pytest.raises(NotImplementedError, match="is .numpy\\(\\) what you're looking for"):
            x.eval()

    def test_equality(self, tf):
        x = tf.constant(1.5)
        assert x == x
        assert x != 1.5
        assert {x: 1}[x] == 1
        tf.enable_tensor_equality()
        try:
            assert bool(x == 1.5)
            with pytest.raises(
                TypeError, match="Tensor is unhashable if Tensor equality is enabled"
            ):
                hash(x)
        finally:
            tf.disable_tensor_equality()


class TestOperations:
    def test_a_tensor_decides_the_type_wherever_it_stands(self, tf):
        x = tf.constant(1.5)
        assert (tf.add(1, x).numpy(), (2**x).dtype) == (2.5, tf.float32)
        assert tf.add(1, 2).dtype is tf.int32

    def test_several_and_no_results(self, tf):
        unique = tf.unique(tf.constant([1, 1, 2]))
        assert type(unique).__name__ == "Unique"
        np.testing.assert_array_equal(unique.idx, [0, 0, 1])
        assert [x.numpy().tolist() for x in tf.split(tf.constant([1, 2]), 2)] == [[1], [2]]
        assert tf.no_op() is None
        assert tf.group(tf.constant(1)) is None

    def test_shapes_that_depend_on_values(self, tf):
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        np.testing.assert_array_equal(tf.reshape(x, [tf.shape(x)[0] * 2, -1]), [[1], [2], [3], [4]])
        np.testing.assert_array_equal(tf.boolean_mask(x, x > 2), [3, 4])
        np.testing.assert_array_equal(tf.where(x > 1.5), [[0, 1], [1, 0], [1, 1]])
        for i in range(2):
            np.testing.assert_array_equal(x[i, tf.constant(i) :], x.numpy()[i, i:])

    def test_large_and_small_values_agree(self, tf):
        for size in (10, 10_000):
            x = np.linspace(0, 1, size).astype(np.float32)
            np.testing.assert_allclose(tf.tanh(tf.constant(x) * 2 + 1), np.tanh(x * 2 + 1), 1e-6)

    def test_one_kernel_serves_many_shapes(self, tf):
        for size in (1, 2, 3, 2, 1):
            assert tf.reduce_sum(tf.ones([size, size])).numpy() == size * size

    @pytest.mark.parametrize(
        ("error", "text", "call"),
        [
            (
                "InvalidArgumentError",
                "Incompatible shapes: [2] vs. [3] [Op:Add] name: foo",
                lambda tf: tf.add(tf.ones([2]), tf.ones([3]), name="foo"),
            ),
            (
                "InvalidArgumentError",
                "cannot compute Add as input #1(zero-based) was expected to be a float tensor but "
                "is a int32 tensor [Op:Add]",
                lambda tf: tf.add(tf.constant(1.0), tf.constant(1)),
            ),
            (
                "InvalidArgumentError",
                "indices = 5 is not in [0, 2) [Op:GatherV2] name: g",
                lambda tf: tf.gather(tf.constant([1.0, 2.0]), 5, name="g"),
            ),
            (
                "InvalidArgumentError",
                "slice index 5 of dimension 0 out of bounds. [Op:StridedSlice] "
                "name: strided_slice/",
                lambda tf: tf.constant([1, 2])[5],
            ),
            (
                "InvalidArgumentError",
                "Input to reshape is a tensor with 3 values, but the requested shape has 4 "
                "[Op:Reshape]",
                lambda tf: tf.reshape(tf.constant([1, 2, 3]), [2, 2]),
            ),
            (
                "InvalidArgumentError",
                "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: "
                "1.5\n1, 2, 3",
                lambda tf: tf.Assert(
                    tf.constant(False), [tf.constant(1.5), tf.constant([1, 2, 3])]
                ),
            ),
        ],
    )
    def test_errors(self, tf, error, text, call):
        with pytest.raises(getattr(tf.errors, error)) as caught:
            call(tf)
        assert str(caught.value) == text
        assert caught.value.op is None

    @pytest.mark.parametrize(
        ("error", "text", "call"),
        [
            (
                RuntimeError,
                "tf.placeholder() is not compatible",
                lambda tf: tf.placeholder("float"),
            ),
            (RuntimeError, "Session graph is empty", lambda tf: tf.Session().run(tf.constant(1))),
            (RuntimeError, "Use tf.GradientTape instead.", lambda tf: tf.gradients([1.0], [1.0])),
            (
                TypeError,
                "Cannot convert 'a' to EagerTensor of dtype int32",
                lambda tf: tf.constant("a", "int32"),
            ),
            (ValueError, "Attempt to convert a value (None)", lambda tf: tf.constant(None)),
            (
                ValueError,
                "Cannot convert a Tensor of dtype resource",
                lambda tf: tf.Variable(1).handle.numpy(),
            ),
            (
                RuntimeError,
                "assign op does not support eager execution. Arg 'output_ref' is a ref.",
                lambda tf: tf.raw_ops.Assign(ref=tf.constant(1), value=2),
            ),
        ],
    )
    def test_what_does_not_work(self, tf, error, text, call):
        with pytest.raises(error, match=re.escape(text)):
            call(tf)

    def test_python_functions(self, tf):
        x = tf.constant([1.0, 2.0])
        np.testing.assert_array_equal(tf.py_func(lambda a: a + 1, [x], tf.float32), [2, 3])
        np.testing.assert_array_equal(tf.py_function(lambda a: a * 2, [x], tf.float32), [2, 4])
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"ValueError: no\n(.|\n)*Op:EagerPyFunc"
        ):
            tf.py_function(self.failing, [x], tf.float32)

    @staticmethod
    def failing(_):
        raise ValueError("no")

    def test_a_graph_inside(self, tf):
        with tf.Graph().as_default():
            assert not tf.executing_eagerly()
            x = tf.placeholder(tf.float32)
            with tf.Session() as sess:
                assert sess.run(x * 2, {x: 3}) == 6
            with pytest.raises(RuntimeError, match="Attempting to capture an EagerTensor without"):
                x + self.eager_ones(tf)
        assert tf.executing_eagerly()

    @staticmethod
    def eager_ones(tf):
        with context.mode(True):
            return tf.ones([2])


class TestRandom:
    def draw(self, tf, n=2, **kwargs):
        return tf.random.uniform([n], **kwargs).numpy()

    def test_a_seed_on_the_op(self, tf):
        np.testing.assert_allclose(self.draw(tf, seed=1), [0.2390374, 0.92039955])
        np.testing.assert_allclose(self.draw(tf, seed=1), [0.34304976, 0.1896193])
        np.testing.assert_allclose(self.draw(tf, seed=2), [0.6787466, 0.7141509])

    def test_a_global_seed(self, tf):
        for _ in range(2):
            tf.set_random_seed(5)
            np.testing.assert_allclose(self.draw(tf), [0.6263931, 0.5298432])
            np.testing.assert_allclose(self.draw(tf), [0.7017075, 0.04336786], 1e-6)
            np.testing.assert_allclose(self.draw(tf, seed=1), [0.3875184, 0.7485455])
            np.testing.assert_allclose(self.draw(tf, seed=1), [0.9647, 0.26855862])
        # The generator goes on whatever the shape.
        np.testing.assert_allclose(
            self.draw(tf, 3, seed=1), [0.08161032, 0.52443314, 0.3426596], 1e-6
        )

    def test_in_a_function(self, tf):
        @tf.function
        def draw():
            return tf.random_uniform([2])

        tf.set_random_seed(3)
        first, second = draw(), draw()
        assert (first.numpy() != second.numpy()).all()


class TestVariable:
    def test_printing(self, tf):
        assert repr(tf.Variable(1.0)) == (
            "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=1.0>"
        )
        assert repr(tf.Variable([1, 2], name="w")) == (
            "<tf.Variable 'w:0' shape=(2,) dtype=int32, numpy=array([1, 2], dtype=int32)>"
        )
        with tf.name_scope("n"):
            assert tf.Variable("text").name == "n/Variable:0"
        assert printed(tf.Variable(1.0).handle) == (
            "<tf.Tensor: id=N, shape=(), dtype=resource, numpy=<unprintable>>"
        )

    def test_updates(self, tf):
        v = tf.Variable(1.0)
        assert repr(v.assign(2.0)) == (
            "<tf.Variable 'UnreadVariable' shape=() dtype=float32, numpy=2.0>"
        )
        assert v.assign_add(1.0).numpy() == 3.0
        assert v.assign_sub(0.5, read_value=False) is None
        assert ((v + 1).numpy(), (1 - v).numpy()) == (3.5, -1.5)
        assert tf.assign(v, 7.0).numpy() == v.numpy() == 7.0
        v.load(3.0)
        assert v.numpy() == 3.0
        with pytest.raises(ValueError, match=r"Shapes \(\) and \(2,\) are incompatible"):
            v.assign([1.0, 2.0])

    def test_rows_and_slices(self, tf):
        v = tf.Variable([1, 2, 3])
        v[1].assign(5)
        v.scatter_add(tf.IndexedSlices([10], [0]))
        np.testing.assert_array_equal(v.numpy(), [11, 5, 3])
        np.testing.assert_array_equal(v.sparse_read([0, 2]), [11, 3])
        np.testing.assert_array_equal(tf.scatter_nd_update(v, [[2]], [7]).numpy(), [11, 5, 7])

    def test_a_value_that_was_read_stays(self, tf):
        for size in (3, 10_000):
            v = tf.Variable(tf.zeros([size]))
            before = v.read_value()
            v.assign_add(tf.ones([size]))
            assert (before.numpy().sum(), v.numpy().sum()) == (0, size)

    def test_variables_of_one_name_are_two(self, tf):
        v, w = tf.Variable(1.0, name="x"), tf.Variable(1.0, name="x")
        v.assign(2.0)
        assert (v.numpy(), w.numpy()) == (2.0, 1.0)
        assert tf.get_variable("g", [2]).handle is not tf.get_variable("g", [2]).handle
        assert tf.global_variables() == []

    def test_copies(self, tf):
        v = tf.Variable(1.0)
        copied = copy.deepcopy(v)
        copied.assign(5.0)
        assert (copied.name, v.numpy()) == ("Variable_copy:0", 1.0)

    def test_it_is_freed_with_its_last_reference(self, tf):
        import gc
        import weakref

        v = tf.Variable(1.0)
        handle = weakref.ref(v.handle._value)
        del v
        gc.collect()
        assert handle() is None

    def test_a_failed_update_changes_nothing(self, tf):
        v = tf.Variable([1.0, 2.0])
        with pytest.raises(tf.errors.InvalidArgumentError):
            v.scatter_add(tf.IndexedSlices([[1.0]], [7]))
        np.testing.assert_array_equal(v.numpy(), [1, 2])

    @pytest.mark.parametrize(
        ("text", "use"),
        [
            ("initial_value not supported in EAGER mode.", lambda v: v.initial_value),
            ("Trying to eval in EAGER mode", lambda v: v.eval()),
            ("Calling create is not supported when eager", lambda v: v.create),
            ("to_proto not supported in EAGER mode.", lambda v: v.to_proto()),
        ],
    )
    def test_what_does_not_work(self, tf, text, use):
        with pytest.raises(RuntimeError, match=text):
            use(tf.Variable(1.0))


def test_an_operation_of_converted_values_has_one_kernel(tf, monkeypatch):
    made = []
    kernel = runtime_eager._Kernel
    monkeypatch.setattr(runtime_eager, "_Kernel", lambda *args: made.append(args) or kernel(*args))
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    for _ in range(2):
        made.clear()
        assert tf.reduce_sum(x, axis=1).numpy().tolist() == [3, 7]
        assert tf.concat([x, x], 0).shape == (4, 2)
        assert tf.concat([x, x, x], 0).shape == (6, 2)
        assert tf.squeeze(x[None, None], [0, 1]).shape == (2, 2)
        assert tf.gather(x, [1], axis=1).numpy().tolist() == [[2], [4]]
    assert made == []
    # Numbers that are equal, and are not the same.
    assert [tf.add(x, 1).dtype, tf.add(tf.constant(1), 1).dtype] == [tf.float32, tf.int32]
    assert np.signbit(tf.multiply(tf.constant(0.0), -0.0).numpy())
    assert not np.signbit(tf.multiply(tf.constant(0.0), 0.0).numpy())


class TestFunction:
    def test_a_body_is_recorded_once_for_each_kind_of_argument(self, tf):
        traced = []
        v = tf.Variable(2.0)

        @tf.function
        def f(x):
            traced.append(x)
            return {"y": x * v + 1.0}, tf.gradients(x * x * v, x)

        for value in (3.0, 4.0):
            result, (grad,) = f(tf.constant(value))
            assert (result["y"].numpy(), grad.numpy()) == (value * 2 + 1, value * 4)
        assert len(traced) == 1
        v.assign(1.0)
        assert f(tf.constant(3.0))[0]["y"].numpy() == 4.0
        assert f(5.0)[1] == [None]
        assert len(traced) == 2

    def test_effects(self, tf):
        v = tf.Variable(1.0)
        seen = []

        @tf.function
        def f(x):
            v.assign_add(x)
            v.assign(v * 2)
            return tf.py_func(lambda a: seen.append(a) or a, [v.read_value()], tf.float32)

        assert f(tf.constant(1.0)).numpy() == 4.0
        assert f(tf.constant(1.0)).numpy() == 10.0
        assert v.numpy() == 10.0
        assert seen == [4.0, 10.0]

    def test_one_of_an_iterator_is_compiled_once_it_repeats(self, tf, monkeypatch):
        monkeypatch.setenv("TF1COMPAT_CACHE_DIR", "off")
        monkeypatch.setattr(tiers, "_BEGIN", 0.0)
        monkeypatch.setattr(tiers, "_MOST_RUNS_AHEAD", 3)
        v = tf.Variable(0.0)
        elements = tf.compat.v2.data.Dataset.from_tensors(tf.ones([300, 300]) / 300).repeat()

        @tf.function
        def step(iterator):
            x = next(iterator)
            v.assign_add(tf.round(tf.reduce_mean(tf.matmul(x, x) * 900.0)))
            return v + 1.0

        iterator = iter(elements)
        compiled = count_compilations.count(monkeypatch.setattr)
        assert [step(iterator).numpy() for _ in range(12)] == list(range(4, 40, 3))
        assert len(compiled) == 1  # what comes before the iterator is no program of its own

    def test_what_an_iterator_gives_in_ever_new_shapes_is_not_compiled(self, tf, monkeypatch):
        monkeypatch.setenv("TF1COMPAT_CACHE_DIR", "off")
        monkeypatch.setattr(tiers, "_MOST_RUNS_AHEAD", 3)
        monkeypatch.setattr(tiers, "_BEGIN", 1e-3)
        weights = tf.Variable(tf.ones([300, 300]))

        @tf.function
        def step(iterator):
            return tf.shape(tf.matmul(next(iterator), weights))[0]

        def last_of(sizes):
            datasets = tf.compat.v2.data.Dataset
            elements = datasets.from_tensor_slices(sizes).map(lambda n: tf.ones([n, 300]))
            iterator = iter(elements)
            return [step(iterator).numpy() for _ in sizes][-1]

        compiled = count_compilations.count(monkeypatch.setattr)
        assert last_of(list(range(1, 21))) == 20
        assert not compiled
        monkeypatch.setattr(tiers, "_BEGIN", 0.0)
        assert last_of([5] * 80) == 5  # Each has come four times on average.
        assert len(compiled) == 1

    @pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
    @pytest.mark.parametrize("tier", [tiers.HOST, tiers.XLA])
    def test_variables_in_a_loop_are_told_apart(self, tf, monkeypatch, tier):
        monkeypatch.setenv("TF1COMPAT_CACHE_DIR", "off")
        monkeypatch.setattr(control_flow_util, "ENABLE_CONTROL_FLOW_V2", True)
        a = tf.Variable([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
        b = tf.Variable(np.arange(20, dtype=np.float32).reshape(5, 4))

        def turn(i, before):
            return i + 1, before + tf.reduce_sum(a * a) * tf.reduce_sum(tf.gather(b, [i, 1]))

        @tf.function
        def gradients(n):
            with tf.GradientTape() as tape:
                # So the gradient asks what shapes the variables have that the loop gives back.
                tape.watch([a.handle, b.handle])
                _, y = tf.while_loop(lambda i, _: i < n, turn, [0, 0.0])
            return tape.gradient(y, [a, b])

        compiled = count_compilations.count(monkeypatch.setattr)
        with tiers.tier(tier):
            to_a, to_b = gradients(tf.constant(2))
        np.testing.assert_array_equal(to_a, [[0, 144], [288, 432], [576, 720]])
        np.testing.assert_array_equal(to_b, np.outer([55, 165, 0, 0, 0], [1] * 4))
        assert bool(compiled) == (tier == tiers.XLA)

    def test_a_function_that_returns_nothing(self, tf):
        v = tf.Variable(1.0)

        @tf.function
        def f():
            v.assign_add(1.0)

        assert f() is None
        assert v.numpy() == 2.0

    def test_variables_made_on_the_first_call(self, tf):
        class Model:
            v = None

            @tf.function
            def __call__(self, x):
                if self.v is None:
                    self.v = tf.Variable(2.0)
                return self.v * x

        model = Model()
        assert model(tf.constant(3.0)).numpy() == 6.0
        model.v.assign(5.0)
        assert model(tf.constant(3.0)).numpy() == 15.0

        @tf.function
        def makes_one_every_time():
            return tf.Variable(1.0).read_value()

        with pytest.raises(ValueError, match="tried to create variables on non-first call"):
            makes_one_every_time()

    def test_captured_values(self, tf):
        large, small = tf.ones([200]), tf.constant(2.0)

        @tf.function
        def f():
            return tf.reduce_sum(large) * small

        assert f().numpy() == 400.0

    def test_an_error_inside_says_where(self, tf):
        @tf.function
        def looks_up(i):
            return tf.gather([1.0, 2.0], i, name="inside")

        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            looks_up(tf.constant(5))
        text = str(caught.value)
        assert text.startswith(" indices = 5 is not in [0, 2)\n\t [[node inside (defined at ")
        assert re.search(
            r"\[Op:__inference_looks_up_\d+\]\n\nFunction call stack:\nlooks_up\n$", text
        )

    def test_custom_gradient(self, tf):
        @tf.custom_gradient
        def triple(x):
            return x * 3, lambda dy: dy * 100

        x = tf.constant(2.0)
        assert triple(x).numpy() == 6.0
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = triple(x) * 2
        assert tape.gradient(y, x).numpy() == 200.0


class TestGradientTape:
    def test_tensors_and_variables(self, tf):
        x, v, w = tf.constant(3.0), tf.Variable(2.0), tf.Variable(5.0, trainable=False)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * v + w
        assert tape.watched_variables() == (v,)
        dx, dv, dw = tape.gradient(y, [x, v, w])
        assert (dx.numpy(), dv.numpy(), dw) == (12.0, 9.0, None)
        with pytest.raises(RuntimeError, match="can only be called once on non-persistent tapes"):
            tape.gradient(y, x)

    def test_persistent(self, tf):
        x = tf.constant(3.0)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            z = y * y
        assert tape.gradient(z, {"a": x})["a"].numpy() == 108.0
        assert tape.gradient(z, y).numpy() == 18.0
        assert tape.gradient([y, z], x).numpy() == 114.0
        assert tape.gradient(z, x, output_gradients=tf.constant(2.0)).numpy() == 216.0
        other = tf.constant(1.0)
        assert tape.gradient(z, other) is None
        assert tape.gradient(z, other, unconnected_gradients="zero").numpy() == 0.0

    def test_second_derivatives(self, tf):
        x = tf.constant(3.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * x * x
            first = inner.gradient(y, x)
        assert (first.numpy(), outer.gradient(first, x).numpy()) == (27.0, 18.0)

    def test_what_is_not_recorded(self, tf):
        v = tf.Variable(2.0)
        with tf.GradientTape(persistent=True) as tape:
            a = v * 2
            tape.reset()
            b = v * 3
            with tape.stop_recording():
                c = v * 4
        assert [tape.gradient(y, v) is None for y in (a, b, c)] == [True, False, True]
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            y = v * v
        assert tape.gradient(y, v) is None

    def test_rows(self, tf):
        table = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as tape:
            rows = tf.nn.embedding_lookup(table, [0, 0])
            loss = tf.reduce_sum(rows * rows)
        grad = tape.gradient(loss, table)
        assert isinstance(grad, tf.IndexedSlices)
        np.testing.assert_array_equal(grad.values, [[2, 4], [2, 4]])

    def test_through_functions(self, tf):
        v, x = tf.Variable(2.0), tf.constant(3.0)

        @tf.function
        def f(a):
            return a * a * v + tf.exp(a)

        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        dx, dv = tape.gradient(y, [x, v])
        np.testing.assert_allclose([dx, dv], [12 + np.exp(3), 9], 1e-6)

    def test_inside_functions(self, tf):
        v = tf.Variable(2.0)

        @tf.function
        def step(a):
            with tf.GradientTape() as tape:
                loss = tf.square(v * a - 1.0)
            grad = tape.gradient(loss, v)
            v.assign_sub(0.5 * grad)
            return grad

        assert step(tf.constant(3.0)).numpy() == 30.0
        assert v.numpy() == -13.0

    def test_through_python(self, tf):
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.py_function(lambda a: a * a * a, [x], tf.float32)
        assert tape.gradient(y, x).numpy() == 27.0

    def test_in_a_graph(self, tf):
        with tf.Graph().as_default():
            a = tf.constant(3.0)
            with tf.GradientTape() as tape:
                tape.watch(a)
                b = a * a
            grad = tape.gradient(b, a)
            names = [op.name for op in tf.get_default_graph().get_operations()]
            assert names == ["Const", "mul", "ones", "Mul_1", "Mul_2", "AddN"]
            assert tf.Session().run(grad) == 6.0

    def test_contrib(self, tf):
        tfe = tf.contrib.eager
        v = tf.Variable(2.0)
        assert [g.numpy() for g in tfe.gradients_function(lambda a, b: a * a * b)(2.0, 3.0)] == [
            12,
            4,
        ]
        value, (grad,) = tfe.value_and_gradients_function(lambda a, b: a * a * b, [0])(2.0, 3.0)
        assert (value.numpy(), grad.numpy()) == (12, 12)
        ((grad, variable),) = tfe.implicit_gradients(lambda a: a * v)(3.0)
        assert (grad.numpy(), variable is v) == (3.0, True)

    def test_mistakes(self, tf):
        with pytest.raises(
            ValueError, match="Passed in object of type <class 'int'>, not tf.Tensor"
        ):
            tf.GradientTape().watch(3)
        with (
            tf.GradientTape() as tape,
            pytest.raises(ValueError, match=r"Tape is already recording\."),
        ):
            tape.__enter__()


@pytest.mark.parametrize(
    ("optimizer", "expected"),
    [
        (lambda tf: tf.train.GradientDescentOptimizer(0.1), [1.6, 1.28]),
        (lambda tf: tf.train.AdamOptimizer(0.1), [1.9, 1.8001668]),
        (lambda tf: tf.train.MomentumOptimizer(0.1, 0.9), [1.6, 0.92]),
    ],
    ids=["gradient descent", "adam", "momentum"],
)
def test_optimizers(tf, optimizer, expected):
    v = tf.Variable(2.0)
    made = optimizer(tf)
    step = tf.train.get_or_create_global_step()
    made.minimize(lambda: v * v, global_step=step)
    values = [v.numpy()]
    with tf.GradientTape() as tape:
        loss = v * v
    made.apply_gradients([(tape.gradient(loss, v), v)])
    values.append(v.numpy())
    np.testing.assert_allclose(values, expected, 1e-5)
    assert step.numpy() == 1
    with pytest.raises(RuntimeError, match="should be a function when eager execution is enabled"):
        made.minimize(v * v)


@pytest.mark.parametrize("computed", [False, True])
def test_variables_created_in_eager_execution(tf, computed):
    made = []

    @tf.function
    def f(x):
        if not made:
            # What hangs on arguments is set when the function runs.
            made.append(tf.Variable(x + 1.0 if computed else tf.ones([2]) * 3.0, name="v"))
        return x * made[0]

    values = [f(tf.constant(x)).numpy().tolist() for x in (3.0, 5.0)]
    assert values == ([12.0, 20.0] if computed else [[9.0, 9.0], [15.0, 15.0]])
    assert type(made[0]).__name__ == "UnliftedInitializerVariable"

"""Sessions: feeds, fetches, failing runs, callables, devices, metadata and the default session.

Texts and values are those of TensorFlow 1.15.
"""

from __future__ import annotations

import collections
import re
import subprocess
import sys

import numpy as np
import pytest

from tf1compat.runtime import progress
from tf1compat.runtime.compile import region

Pair = collections.namedtuple("Pair", "a b")


@pytest.fixture
def sess(tf):
    with tf.Session() as session:
        yield session


@pytest.fixture
def model(tf, sess):
    """x, y = placeholders; v = [1, 2]; z = 2x + y; w = z + v."""
    x = tf.placeholder(tf.float32, [None], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    v = tf.Variable([1.0, 2.0], name="v")
    z = tf.identity(x * 2 + y, name="z")
    w = tf.add(z, v, name="w")
    sess.run(v.initializer)
    return Pair(Pair(x, y), (v, z, w))


class TestFetches:
    def test_structures_come_back(self, tf, sess, model):
        v, _, _ = model.b
        nothing = tf.no_op()
        first, mapping, pair = sess.run([[nothing], {"a": v}, Pair(v, [v, nothing])])
        assert first == [None]
        np.testing.assert_array_equal(mapping["a"], [1, 2])
        assert type(pair) is Pair
        assert pair.b[1] is None
        ordered = sess.run(collections.OrderedDict([("b", v), ("a", nothing)]))
        assert list(ordered) == ["b", "a"]
        assert type(ordered) is collections.OrderedDict

    @pytest.mark.parametrize("empty", [[], {}, (), [[], {}]])
    def test_nothing(self, sess, model, empty):
        assert sess.run(empty) == empty

    def test_names(self, sess, model):
        value, nothing = sess.run(["z:0", "z"], {"x:0": [1], "y:0": 2})
        np.testing.assert_array_equal(value, [4])
        assert nothing is None

    def test_the_same_twice(self, sess, model):
        v = model.b[0]
        a, b, _ = sess.run([v, v, "v"])
        np.testing.assert_array_equal(a, b)

    def test_results_have_the_types_of_tf(self, tf, sess, model):
        v = model.b[0]
        assert type(sess.run(v[0])) is np.float32
        assert type(sess.run(tf.constant("a"))) is bytes
        assert sess.run(tf.constant(["a", "b"])).dtype == object
        assert type(sess.run(tf.constant(True))) is np.bool_

    @pytest.mark.parametrize("which", ["variable", "computed", "constant", "fed", "py_func"])
    def test_a_result_can_be_written_to(self, tf, sess, model, which):
        x = tf.placeholder(tf.float32, [3])
        kept = np.zeros(3, np.float32)
        fetch = {
            "variable": model.b[0],
            "computed": x + 1.0,
            "constant": tf.constant([1.0, 2.0, 3.0]),
            "fed": x,
            "py_func": tf.py_func(lambda: kept, [], tf.float32),
        }[which]
        fed = np.ones(3, np.float32)
        before = sess.run(fetch, {x: fed})
        for _ in range(2):
            result = sess.run(fetch, {x: fed})
            result[:] = 100
        np.testing.assert_array_equal(sess.run(fetch, {x: fed}), before)

    def test_composites(self, tf, sess):
        rows = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([3]))
        value = sess.run(rows)
        assert type(value).__name__ == "IndexedSlicesValue"
        assert value.dense_shape is None
        np.testing.assert_array_equal(value.indices, [3])
        sparse = tf.SparseTensor([[0, 0], [1, 2]], [1, 2], [3, 4])
        value = sess.run({"s": sparse})["s"]
        assert type(value) is tf.SparseTensorValue
        np.testing.assert_array_equal(value.dense_shape, [3, 4])
        np.testing.assert_array_equal(sparse.eval().values, [1, 2])

    @pytest.mark.parametrize(
        ("fetch", "text"),
        [
            (lambda tf: None, "Fetch argument None has invalid type <class 'NoneType'>"),
            (lambda tf: [tf.constant(1), None], "Fetch argument None has invalid type"),
            (lambda tf: 3, "Fetch argument 3 has invalid type <class 'int'>, must be a string or"),
            (lambda tf: np.ones(1), r"Can not convert a ndarray into a Tensor or Operation\."),
        ],
    )
    def test_what_can_not_be_fetched(self, tf, sess, model, fetch, text):
        with pytest.raises(TypeError, match=text):
            sess.run(fetch(tf))

    def test_a_graph_that_grows(self, tf, sess, model):
        z = model.b[1]
        feeds = {model.a.a: [1.0], model.a.b: 2.0}
        assert sess.run(z, feeds) == [4.0]
        later = z + 1.0
        assert sess.run([z, later], feeds)[1] == [5.0]
        assert sess.run(z, feeds) == [4.0]


class TestFeeds:
    def test_any_tensor_can_be_fed(self, sess, model):
        (x, y), (v, z, w) = model
        np.testing.assert_array_equal(sess.run(w, {z: [5, 6]}), [6, 8])
        np.testing.assert_array_equal(sess.run(w, {v: [5, 6], z: [1, 1]}), [6, 7])
        np.testing.assert_array_equal(sess.run(v, {v: [5, 6]}), [5, 6])
        np.testing.assert_array_equal(sess.run(v), [1, 2])

    def test_the_same_fetch_with_other_feeds(self, sess, model):
        (x, y), (v, z, w) = model
        for size in (1, 2, 1, 3):
            np.testing.assert_array_equal(
                sess.run(z, {x: np.arange(size), y: 1.0}), np.arange(size) * 2 + 1
            )

    def test_tuples_of_tensors(self, sess, model):
        (x, y), (_, z, _) = model
        with pytest.raises(ValueError, match=r"Cannot feed value of shape \(\) for Tensor 'x:0'"):
            sess.run(z, {(x, y): ([1], 2)})  # TF flattens the values too
        with pytest.raises(ValueError, match="Key had 2 elements, but value had 1 elements"):
            sess.run(z, {(x, y): ([1],)})

    def test_composites(self, tf, sess):
        p = tf.sparse_placeholder(tf.float32)
        value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([5.0]), np.array([2, 3]))
        for fed in (value, tuple(value)):
            np.testing.assert_array_equal(sess.run(p.values * 2, {p: fed}), [10])
        rows = tf.IndexedSlices(tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int64, [2]))
        np.testing.assert_array_equal(sess.run(rows.values + 1, {rows: ([1, 2], [0, 1])}), [2, 3])

    @pytest.mark.parametrize("repeated", [False, True])
    @pytest.mark.parametrize(
        ("value", "error", "text"),
        [
            (lambda tf: tf.constant([1.0]), TypeError, "The value of a feed cannot be a tf.Tensor"),
            (
                lambda tf: [[1.0]],
                ValueError,
                r"Cannot feed value of shape \(1, 1\) for Tensor 'x:0'",
            ),
            (lambda tf: ["a"], ValueError, "could not convert string to float: 'a'"),
            (lambda tf: [[1], [1, 2]], ValueError, "setting an array element with a sequence"),
        ],
    )
    def test_values_that_do_not_fit(self, tf, sess, model, value, error, text, repeated):
        (x, y), (_, z, _) = model
        if repeated:
            sess.run(z, {x: [1.0], y: 1.0})
        with pytest.raises(error, match=text):
            sess.run(z, {x: value(tf), y: 1.0})

    def test_a_number_that_the_dtype_does_not_hold(self, tf, sess):
        number = tf.placeholder(tf.int32, [])
        with pytest.raises(
            TypeError, match="is not compatible with Tensor type <class 'numpy.int32'>"
        ):
            sess.run(number, {number: 2**40})
        text = tf.placeholder(tf.string)
        with pytest.raises(TypeError, match="is not compatible with Tensor type <class 'object'>"):
            sess.run(text, {text: 3})

    def test_keys_that_are_no_tensors(self, tf, sess, model):
        z = model.b[1]
        with pytest.raises(TypeError, match="The name 'x' refers to an Operation, not a Tensor"):
            sess.run(z, {"x": [1.0]})
        with pytest.raises(TypeError, match="Can not convert a int into a Tensor"):
            sess.run(z, {3: [1.0]})
        with pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor"):
            sess.run(z, {tf.no_op(): 1})

    def test_text(self, tf, sess):
        text = tf.placeholder(tf.string, [2])
        joined = tf.identity(text)
        np.testing.assert_array_equal(sess.run(joined, {text: ["a", b"b"]}), [b"a", b"b"])
        np.testing.assert_array_equal(
            sess.run(joined, {text: np.array(["é", "b"])})[0], "é".encode()
        )

    def test_an_array_on_the_device(self, sess, model):
        import jax.numpy as jnp

        (x, y), (_, z, _) = model
        fed = jnp.arange(3, dtype=jnp.float32)
        for _ in range(3):
            np.testing.assert_array_equal(sess.run(z, {x: fed, y: 1.0}), [1, 3, 5])
        np.testing.assert_array_equal(fed, [0, 1, 2])


def many_variables(tf, count=20):
    """Variables of several shapes and dtypes, each i + 1 all over."""
    shapes = ([], [3], [2, 2])
    kinds = (tf.float32, tf.int64, tf.float64)
    return [
        tf.Variable(
            tf.fill(shapes[i % 3], tf.cast(i + 1, kinds[i % 2])),
            use_resource=i % 4 == 0,
            name=f"v{i}",
        )
        for i in range(count)
    ]


class TestFailedRun:
    """A run that fails leaves every variable as it was."""

    def failing(self, tf, how):
        """(an op that fails if `x` is negative, the feed)."""
        x = tf.placeholder(tf.float32, [2], name="flag")
        if how == "assertion":
            return tf.Assert(tf.reduce_all(x > 0), [x]), x
        if how == "check":
            return tf.check_numerics(tf.sqrt(x), "negative").op, x

        def checked(value):
            if (value < 0).any():
                raise ValueError("negative")
            return value

        return tf.py_func(checked, [x], tf.float32).op, x

    @pytest.mark.parametrize("first", ["updates first", "failure first", "no order"])
    @pytest.mark.parametrize("how", ["assertion", "check", "py_func"])
    def test_variables_are_as_they_were(self, tf, sess, how, first):
        variables = many_variables(tf)
        sess.run(tf.global_variables_initializer())
        if first == "failure first":
            failing, x = self.failing(tf, how)
            with tf.control_dependencies([failing]):
                updates = [tf.assign_add(v, tf.ones_like(v)) for v in variables]
        else:
            updates = [tf.assign_add(v, tf.ones_like(v)) for v in variables]
            order = [u.op for u in updates] if first == "updates first" else []
            with tf.control_dependencies(order):
                failing, x = self.failing(tf, how)
        step = tf.group(failing, *updates)
        good, bad = [0.5, 0.5], [-1.0, -1.0]
        before = sess.run(variables)
        for feed in (bad, good, good, bad, bad, good):
            if feed is bad:
                with pytest.raises(tf.errors.InvalidArgumentError):
                    sess.run(step, {x: feed})
            else:
                sess.run(step, {x: feed})
                before = [value + 1 for value in before]
            for value, expected in zip(sess.run(variables), before, strict=True):
                np.testing.assert_array_equal(value, expected)

    def test_several_regions(self, tf, sess):
        v, w = tf.Variable([1.0]), tf.Variable([1.0])
        x = tf.placeholder(tf.float32, [1])
        sess.run(tf.global_variables_initializer())
        with tf.control_dependencies([tf.assign_add(v, x)]):
            called = tf.py_func(lambda a: a, [x], tf.float32)
        with tf.control_dependencies([tf.assign(w, called)]):
            checked = (
                tf.check_numerics(called, "a value") if hasattr(tf, "check_numerics") else None
            )
            failing = checked.op if checked is not None else tf.Assert(x[0] > 0, [x])
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError):
                sess.run(failing, {x: [-np.inf if checked is not None else -1.0]})
            assert sess.run([v, w]) == [[1.0], [1.0]]
        sess.run(failing, {x: [3.0]})
        assert sess.run([v, w]) == [[4.0], [3.0]]

    def test_a_variable_that_had_no_value_has_none_after_a_failed_run(self, tf, sess):
        v = tf.Variable([1.0], name="v")
        x = tf.placeholder(tf.float32, [])
        step = tf.group(v.initializer, tf.Assert(x > 0, [x]))
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(step, {x: -1.0})
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value v"):
            sess.run(v)
        sess.run(step, {x: 1.0})
        assert sess.run(v) == [1.0]

    def test_an_assignment_of_another_shape(self, tf, sess):
        v = tf.Variable([1.0, 2.0], validate_shape=False)
        x = tf.placeholder(tf.float32, [None])
        assigned = tf.assign(v, x, validate_shape=False)
        step = tf.group(assigned, tf.Assert(x[0] > 0, [x]))
        sess.run(v.initializer)
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError):
                sess.run(step, {x: [-1.0, 0.0, 0.0]})
            np.testing.assert_array_equal(sess.run(v), [1, 2])
        sess.run(step, {x: [1.0, 2.0, 3.0]})
        np.testing.assert_array_equal(sess.run(v), [1, 2, 3])


class TestVariablesInMemory:
    def test_copies_of_a_variable_are_its_own(self, tf, sess):
        a, b, c = (tf.Variable(np.full(4, value, np.float32)) for value in (1, 2, 3))
        copy = tf.group(a.assign(c), b.assign(c))
        grow = [a.assign_add(tf.ones(4)), b.assign_add(tf.ones(4))]
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(copy)
            sess.run(grow)
            sess.run(grow[0])
            assert [value[0] for value in sess.run([a, b, c])] == [5, 4, 3]

    def test_a_swap_in_one_run(self, tf, sess):
        a, b = tf.Variable(1.0, use_resource=True), tf.Variable(2.0, use_resource=True)
        old_a, old_b = a.read_value(), b.read_value()
        swap = tf.group(a.assign(old_b), b.assign(old_a))
        sess.run(tf.global_variables_initializer())
        for expected in ([2.0, 1.0], [1.0, 2.0], [2.0, 1.0]):
            sess.run(swap)
            assert sess.run([a, b]) == expected

    def test_a_fetched_array_survives_later_updates(self, tf, sess):
        v = tf.Variable(np.zeros(1000, np.float32))
        grow = v.assign_add(tf.ones(1000))
        sess.run(v.initializer)
        seen = [sess.run([grow, v])[i % 2] for i in range(6)]
        assert [value[0] for value in seen] == [1, 2, 3, 4, 5, 6]
        assert all((value == value[0]).all() for value in seen)


class TestCallable:
    def test_feeds_by_position(self, sess, model):
        (x, y), (_, z, _) = model
        call = sess.make_callable(z, [x, y])
        np.testing.assert_array_equal(call([1.0], 2.0), [4])
        np.testing.assert_array_equal(call([1.0, 2.0], 2.0), [4, 6])
        np.testing.assert_array_equal(
            sess.make_callable({"a": "z:0"}, ["x:0", y])([1], 2)["a"], [4]
        )

    def test_without_feeds(self, tf, sess, model):
        v = model.b[0]
        np.testing.assert_array_equal(sess.make_callable(v)(), [1, 2])
        assert sess.make_callable(tf.no_op())() is None
        metadata = tf.RunMetadata()
        call = sess.make_callable(v, accept_options=True)
        np.testing.assert_array_equal(call(run_metadata=metadata), [1, 2])

    def test_mistakes(self, tf, sess, model):
        (x, y), (_, z, _) = model
        with pytest.raises(TypeError, match=r"`feed_list` must be a list or tuple\."):
            sess.make_callable(z, x)
        with pytest.raises(TypeError, match="Fetch argument None has invalid type"):
            sess.make_callable(None)
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value for"):
            sess.make_callable(z, [x, y])([1.0])
        with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
            sess.make_callable(z, [x, y])([1.0], 2.0, foo=3)


class TestOptions:
    def trace(self, tf, sess, fetch, feeds=None, **options):
        metadata = tf.RunMetadata()
        sess.run(fetch, feeds, options=tf.RunOptions(**options), run_metadata=metadata)
        return metadata

    def test_a_trace_names_what_ran(self, tf, sess, model):
        (x, y), (_, z, _) = model
        called = tf.py_func(np.sin, [z], tf.float32, name="called")
        metadata = self.trace(
            tf, sess, called, {x: [1], y: 2}, trace_level=tf.RunOptions.FULL_TRACE
        )
        (device,) = metadata.step_stats.dev_stats
        assert device.device == "/job:localhost/replica:0/task:0/device:CPU:0"
        stats = {stat.node_name: stat for stat in device.node_stats}
        assert {"mul", "add", "z", "called"} <= set(stats)
        assert stats["z"].timeline_label == "z = Identity(add)"
        assert stats["called"].all_start_micros >= stats["mul"].all_start_micros > 1e15
        assert stats["called"].all_end_rel_micros > 0
        (output,) = stats["called"].output
        assert output.tensor_description.allocation_description.requested_bytes == 4

    def test_a_trace_of_what_xla_runs(self, tf, sess, model):
        (x, y), (_, z, _) = model
        sess._tier = "xla"
        metadata = self.trace(tf, sess, z, {x: [1], y: 2}, trace_level=tf.RunOptions.FULL_TRACE)
        (device,) = metadata.step_stats.dev_stats
        stats = {stat.node_name: stat for stat in device.node_stats}
        assert {"mul", "add", "z"} <= set(stats)
        assert stats["region_0"].all_end_rel_micros > 0

    def test_a_trace_of_branches_and_loops(self, tf, sess):
        n = tf.placeholder(tf.int32, [], name="n")
        many = tf.while_loop(lambda i: i < n, lambda i: tf.add(i, 1, name="step"), [0])
        fetch = tf.cond(
            many > 2, lambda: tf.square(many, "taken"), lambda: tf.negative(many, "not")
        )
        metadata = self.trace(tf, sess, fetch, {n: 4}, trace_level=tf.RunOptions.FULL_TRACE)
        (device,) = metadata.step_stats.dev_stats
        names = [stat.node_name for stat in device.node_stats]
        assert names.count("while/step") == 4
        assert names.count("while/Less") == 5
        assert "cond/taken" in names
        assert "cond/not" not in names

    def test_nothing_is_noted_unless_asked_for(self, tf, sess, model):
        assert not self.trace(tf, sess, model.b[0]).step_stats.dev_stats

    def test_partition_graphs(self, tf, sess, model):
        (x, y), (_, z, _) = model
        metadata = self.trace(tf, sess, z, {x: [1], y: 2}, output_partition_graphs=True)
        (graph,) = metadata.partition_graphs
        named = {node.name: node for node in graph.node}
        assert {"mul", "add", "z", f"_arg_{x.op.name}_0_0", "_retval_z_0_0"} <= set(named)
        assert named[f"_arg_{x.op.name}_0_0"].op == "_Arg"
        assert named["_retval_z_0_0"].op == "_Retval"
        device = "/job:localhost/replica:0/task:0/device:CPU:0"
        assert {node.device for node in graph.node} == {device}

    def test_other_objects_are_refused(self, sess, model):
        with pytest.raises(
            AttributeError, match="'int' object has no attribute 'SerializeToString'"
        ):
            sess.run(model.b[0], options=3)
        with pytest.raises(AttributeError, match="'int' object has no attribute 'ParseFromString'"):
            sess.run(model.b[0], run_metadata=3)


class TestSession:
    def test_devices(self, tf):
        device, *_ = tf.Session(graph=tf.Graph()).list_devices()
        assert device.name == "/job:localhost/replica:0/task:0/device:CPU:0"
        assert (device.device_type, device.memory_limit_bytes) == ("CPU", 268435456)
        assert (
            repr(device)
            == f"_DeviceAttributes({device.name}, CPU, 268435456, {device.incarnation})"
        )
        config = tf.ConfigProto(device_count={"CPU": 2})
        names = [d.name for d in tf.Session(config=config).list_devices()]
        assert names[:2] == [device.name, device.name[:-1] + "1"]

    def test_arguments(self, tf):
        with pytest.raises(TypeError, match="graph must be a tf.Graph, but got <class 'int'>"):
            tf.Session(graph=3)
        with pytest.raises(TypeError, match="target must be a string, but got <class 'int'>"):
            tf.Session(target=3)
        with pytest.raises(TypeError, match=r'Did you do "Session\(config\)" instead of'):
            tf.Session(tf.ConfigProto())
        with pytest.raises(
            TypeError, match="config must be a tf.ConfigProto, but got <class 'int'>"
        ):
            tf.Session(config=3)
        with pytest.raises(tf.errors.NotFoundError, match="No session factory registered"):
            tf.Session("nowhere")
        for address in ("", "host", "host:", "host:x", "host:-1", "a/b:5", "host:99999999999"):
            text = f'Could not interpret "{address}" as a host-port pair.'
            with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(text)):
                tf.Session(f"grpc://{address}")
        assert tf.Session(target=b"").sess_str == b""

    def test_the_default_session(self, tf):
        with tf.Session() as sess:
            assert tf.get_default_session() is sess
            assert tf.constant(1).eval() == 1
            assert tf.no_op().run() is None
        with pytest.raises(ValueError, match="No default session is registered"):
            tf.constant(1).eval()
        with pytest.raises(RuntimeError, match=r"Attempted to use a closed Session\."):
            sess.run(tf.constant(1))
        with pytest.raises(tf.errors.CancelledError, match=r"Session has been closed\."):
            sess.list_devices()
        sess.close()

    def test_as_default_does_not_close(self, tf):
        sess = tf.Session()
        for _ in range(2):
            with sess.as_default():
                assert tf.get_default_session() is sess
        assert sess.run(tf.constant(1)) == 1

    def test_entering_twice(self, tf):
        sess = tf.Session()
        with sess:
            with pytest.raises(RuntimeError, match="Session context managers are not re-entrant"):
                sess.__enter__()
            assert tf.get_default_session() is sess
        assert tf.get_default_session() is None

    def test_an_exception_closes_the_session(self, tf):
        with pytest.raises(KeyError), tf.Session() as sess:
            raise KeyError
        assert tf.get_default_session() is None
        with pytest.raises(RuntimeError, match=r"Attempted to use a closed Session\."):
            sess.run(tf.constant(1))

    def test_an_empty_graph(self, tf):
        with pytest.raises(RuntimeError, match="The Session graph is empty"):
            tf.Session().run("a:0")

    def test_sessions_keep_their_variables_apart(self, tf):
        v = tf.Variable(1.0)
        one, other = tf.Session(), tf.Session()
        one.run(v.initializer)
        other.run(v.initializer)
        one.run(v.assign_add(1.0))
        assert (one.run(v), other.run(v)) == (2.0, 1.0)

    def test_reset_closes_all(self, tf):
        sess = tf.Session()
        one = tf.constant(1)
        sess.run(one)
        tf.Session.reset("")
        with pytest.raises(tf.errors.CancelledError, match=r"Session has been closed\."):
            sess.run(one)
        assert tf.Session().run(one) == 1

    def test_interactive_sessions(self, tf, recwarn):
        first = tf.InteractiveSession()
        assert not [w for w in recwarn if "interactive session" in str(w.message)]
        with pytest.warns(UserWarning, match="An interactive session is already active"):
            second = tf.InteractiveSession()
        assert tf.get_default_session() is second
        first.close()
        first.close()
        assert tf.get_default_session() is second
        second.close()
        assert tf.get_default_session() is None

    def test_an_interactive_session_of_another_graph(self, tf):
        graph = tf.Graph()
        sess = tf.InteractiveSession(graph=graph)
        assert tf.get_default_graph() is graph
        assert tf.constant(2.0).eval() == 2.0
        sess.close()
        assert tf.get_default_graph() is not graph


class TestFunctionsInSessions:
    def test_a_body_may_call_python_and_draw(self, tf, sess):
        seen = []

        @tf.function
        def body(x):
            return tf.py_func(lambda a: seen.append(1) or a * 2, [x], tf.float32) + 1.0

        @tf.function
        def draw():
            return tf.random_uniform([], seed=3)

        x = tf.placeholder(tf.float32, [])
        assert sess.run(body(x), {x: 3.0}) == 7.0
        assert len(seen) == 1
        number = draw()
        assert sess.run(number) != sess.run(number)

    def test_a_body_updates_variables(self, tf, sess):
        v = tf.Variable(1.0, use_resource=True)

        @tf.function
        def update(x):
            v.assign_add(x)
            return v.read_value()

        result = update(tf.constant(2.0))
        sess.run(v.initializer)
        assert sess.run(result) == 3.0
        assert sess.run(result) == 5.0
        assert sess.run(v) == 5.0


@pytest.mark.parametrize(
    "value", ["text", b"text", "\xe4", ["a", b"b"], np.array(["a", "b"]), np.array("text")], ids=str
)
def test_fed_texts_are_fetched_as_they_are(tf, value):
    """A fetch that is fed is what was fed, also a `str`; what is computed has bytes."""
    x = tf.placeholder(tf.string)
    with tf.Session() as sess:
        for _ in range(2):
            fed, computed = sess.run([x, tf.identity(x)], {x: value})
            assert fed.dtype == object
            assert fed.tolist() == (value.tolist() if isinstance(value, np.ndarray) else value)
            given = np.asarray(computed).ravel().tolist()
            assert all(isinstance(text, bytes) for text in given)


def test_a_fed_constant(tf):
    c = tf.constant([1.0, 2.0])
    copy, double = tf.identity(c), tf.identity(c) * 2.0
    with tf.Session() as session:
        assert session.run(double).tolist() == [2.0, 4.0]
        assert session.run([c, copy, double], {c: [3.0, 4.0]})[2].tolist() == [6.0, 8.0]
        assert session.run(copy, {c: [5.0, 6.0]}).tolist() == [5.0, 6.0]
        assert session.run([c, copy])[1].tolist() == [1.0, 2.0]


def test_a_view_of_a_variable_that_grew_shows_the_old_value(tf):
    """TF 1.15 writes a value of the same size into the buffer that the view shares, one of another
    size into a new one."""
    v = tf.Variable([1.0, 2.0], validate_shape=False)
    for value, seen in (([7.0, 7.0], [7.0, 7.0]), ([7.0, 7.0, 7.0], [1.0, 2.0])):
        old = v.value()
        with tf.control_dependencies([old]):
            grown = tf.assign(v, value, validate_shape=False)
        with tf.control_dependencies([grown]):
            doubled = old * 2.0
        with tf.Session() as session:
            session.run(v.initializer)
            found, new = session.run([doubled, grown])
        np.testing.assert_array_equal(found, 2 * np.array(seen))
        np.testing.assert_array_equal(new, value)


def test_programs_for_many_shapes_are_bounded_and_told_of_once(tf, xla, monkeypatch, caplog):
    monkeypatch.setattr(region, "_MOST_PROGRAMS", 3)
    monkeypatch.setattr(region, "_HINT_PROGRAMS", 2)
    monkeypatch.setattr(progress, "_hinted", False)
    x = tf.placeholder(tf.float32, [None], name="x")
    y = x * 2.0
    with tf.Session() as session:
        for size in (1, 2, 3, 4, 2, 1):
            assert session.run(y, {x: np.ones(size)}).shape == (size,)
        (run,) = session._runs.values()
        ((only, _),) = run.program._plan.levels
        assert [signature[0][0] for signature in only._entries] == [(4,), (2,), (1,)]
    assert [r.message for r in caplog.records if "compiled" in r.message] == [
        "The run of 'mul:0' was compiled 2 times, as 'x:0' (last [2]) came in so many shapes (or "
        "values that decide shapes): pad batches to a few sizes, or sort them into buckets, to "
        "save the waiting."
    ]


def test_destroyed_variable_has_no_value_until_it_is_assigned(tf):
    variable = tf.Variable(3.0, use_resource=True, name="destroyed")
    other = tf.Variable(4.0, use_resource=True)
    destroy = tf.raw_ops.DestroyResourceOp(resource=variable.handle, ignore_lookup_error=False)
    initialized = tf.is_variable_initialized(variable)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            session.run(destroy)
            assert session.run([initialized, other]) == [False, 4.0]
            with pytest.raises(tf.errors.FailedPreconditionError, match="destroyed"):
                session.run(variable.value())
            with pytest.raises(tf.errors.NotFoundError, match="does not exist"):
                session.run(destroy)
            session.run(variable.initializer)
            assert session.run(variable) == 3.0


def test_what_is_never_left_says_nothing_when_python_ends():
    code = """
import tf1compat; tf1compat.install()
import tensorflow as tf
kept = tf.Graph().as_default(), tf.Session(graph=tf.Graph()).as_default()
for context in kept:
    context.__enter__()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""

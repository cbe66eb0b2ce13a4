"""What the parts of AutoGraph below its public names do: cases as in internal_cases.py."""

from __future__ import annotations

from internal_cases import case, error, internal, nodes, numbers, run


@case
def lists_of_tensors(tf):
    lists = internal("autograph.operators.data_structures")
    special = internal("autograph.lang.special_functions")
    one, two = tf.constant([1.0]), tf.constant([2.0])
    stacked = [
        special.stack(special.tensor_list([one, two]), tf.float32),
        special.stack(special.tensor_list([one, two], use_tensor_array=True)),
        special.stack(tf.constant([3.0])),
        special.stack(special.tensor_list(tf.constant([[4.0], [5.0]])), tf.float32),
    ]
    said = [numbers(value) for value in run(tf, stacked)]
    said += [special.stack([1], strict=False), error(special.stack, [1])]
    said += [error(special.stack, special.tensor_list([one]))]
    said.append(special.match_staging_level(3, 4))
    said.append(str(special.match_staging_level(3, one)))
    half, wide = tf.constant([1], tf.int32), tf.constant([1.0, 2.0])
    for new in (lists.tf_tensor_array_new, lists.tf_tensor_list_new):
        for args in (
            ([one, half],), ([one, wide],), ([one], tf.int32), ([one, half], tf.int32),
            ([one, wide], None, (1,)), ([],), ([], tf.float32), ([one], tf.float32),
        ):  # fmt: skip
            said.append(error(new, *args)[0])
    said += [error(special.tensor_list, value)[0] for value in ([], 3)]
    options = lists.ListStackOpts(element_dtype=tf.float32, original_call=len)
    return said + [lists.list_stack([1, 2], options), nodes(tf)]


@case
def elements_of_what_has_some(tf):
    slices = internal("autograph.operators.slices")
    known, unknown = slices.GetItemOpts(tf.float32), slices.GetItemOpts(None)
    listed = internal("autograph.lang.special_functions").tensor_list([[1.0], [2.0]])
    array = tf.TensorArray(tf.float32, 2).unstack([3.0, 4.0])
    got = [
        slices.get_item(listed, 1, known),
        slices.get_item(array, 1, unknown),
        slices.get_item(tf.constant([5, 6]), 1, unknown),
        slices.get_item(tf.constant("abc"), 1, unknown),
        slices.get_item(slices.set_item(listed, 0, [7.0]), 0, known),
        slices.set_item(tf.constant([8, 9]), 1, 10),
    ]
    said = [numbers(v) if not isinstance(v, bytes) else v.decode() for v in run(tf, got)]
    said += [slices.get_item([1, 2], 1, unknown), slices.set_item([1, 2], 1, 3)]
    return said + [error(slices.get_item, listed, 0, unknown), nodes(tf)]


@case
def names_with_values(tf):
    symbols = internal("autograph.operators.symbols")
    special = internal("autograph.operators.special_values")

    class Owner(object):
        part = [1, 2]
        nothing = None

    owner = symbols.ValueSymbol("a", Owner())
    gone = symbols.ValueSymbol("u", special.Undefined("u"))
    part = symbols.AttributeAccessSymbol(owner, "part")
    said = []
    for symbol in (
        part,
        symbols.AttributeAccessSymbol(owner, "nothing"),
        symbols.AttributeAccessSymbol(owner, "other"),
        symbols.AttributeAccessSymbol(gone, "part"),
        symbols.SubscriptSymbol(part, symbols.ValueSymbol("i", 1)),
        symbols.SubscriptSymbol(part, symbols.ValueSymbol("j", 5)),
        symbols.SubscriptSymbol(gone, symbols.ValueSymbol("i", 1)),
    ):
        value = symbol.maybe_compute_value()
        missing = symbols.is_undefined(value)
        said.append([symbol.name, "undefined" if missing else value])
    return said


@case
def helpers_of_converted_code(tf):
    misc = internal("autograph.utils.misc")
    blocks = internal("autograph.utils.context_managers")
    lists = internal("autograph.utils.tensor_list")
    calls = internal("autograph.utils.py_func")
    x = tf.constant(7, name="x")
    said = [[misc.capitalize_initial(text) for text in ("", "ab", "A")]]
    said += [misc.alias_tensors(3), list(misc.alias_tensors(3, 4)), error(misc.alias_tensors)]
    alias = misc.alias_tensors(x)
    lengths = [
        misc.get_range_len(*map(tf.constant, args)) for args in ((0, 7, 3), (5, 0, 2), (0, 6, 3))
    ]
    with blocks.control_dependency_on_returns(None), blocks.control_dependency_on_returns(x):
        after = tf.constant(1, name="after")
    with blocks.control_dependency_on_returns((tf.TensorArray(tf.int32, 1), x)):
        last = tf.constant(1, name="last")
    said += [[c.name for c in t.op.control_inputs] for t in (after, last)]
    made = lists.TensorList(shape=(), dtype=tf.int32)
    for value in (3, 4, 5):
        made.append(value)
    made[0] = 9
    appended = lists.dynamic_list_append(made.list_, 8)
    popped = [made[0], made.pop(), made.count()]
    popped.append(lists.dynamic_list_append(tf.TensorArray(tf.int32, 0, True), 6).stack())
    popped.append(tf.raw_ops.TensorListLength(input_handle=appended))
    said.append(lists.dynamic_list_append([1], 2))
    called = [
        calls.wrap_py_func(lambda a, b: a + b, tf.int32, [x, 2]),
        calls.wrap_py_func(lambda a, k: a * k, calls.MatchDType(0), [x], {"k": tf.constant(3)}),
        calls.wrap_py_func(lambda a: None, None, [x], use_dummy_return=True),
    ]
    for args in ((abs, tf.int32, [x], None, True), (abs, calls.MatchDType(0), [3])):
        said.append(error(calls.wrap_py_func, *args)[0])
    return said + [[numbers(v) for v in run(tf, [alias] + lengths + popped + called)]]

"""`tf.CriticalSection`: graphs, and runs in which nothing else orders its executions.

Read by `record_cases.py` under TensorFlow 1.15, replayed by `tests/api/test_critical_section.py`.
"""

from __future__ import annotations

from case_runs import Case, collect


def _counter(tf, name="v"):
    v = tf.get_variable(name, initializer=0.0, use_resource=True)

    def count(step):
        value = v.read_value()
        with tf.control_dependencies([value]):
            with tf.control_dependencies([v.assign_add(step)]):
                return tf.identity(value)

    return count


def counts(tf):
    section, count = tf.CriticalSection(), _counter(tf)
    step = tf.constant(2.0)
    found = [section.execute(lambda: count(step)) for _ in range(5)]
    said = [section.name, len(tf.get_collection("critical_sections"))]
    return Case([tf.sort(tf.stack(found))], said=said, steps=2)


def names(tf):
    section, count = tf.CriticalSection(name="mine", shared_name="ours"), _counter(tf)
    found = section.execute(lambda: {"a": count(1.0), "b": [tf.constant(3.0)]}, name="run")
    return Case([found["a"], found["b"][0]], said=[sorted(found)], steps=2)


def operation(tf):
    section = tf.CriticalSection()
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    return Case([section.execute(lambda: [v.read_value()])], steps=1)


def readers(tf):
    count = _counter(tf)
    found = [
        tf.CriticalSection().execute(lambda: count(0.0), exclusive_resource_access=False)
        for _ in range(2)
    ]
    return Case(found, steps=1)


def itself(tf):
    section, count = tf.CriticalSection(), _counter(tf)
    section.execute(lambda: section.execute(lambda: count(1.0)))


def proto(tf):
    tf.CriticalSection(critical_section_def=1)


def proto_and_name(tf):
    tf.CriticalSection("a", critical_section_def=1)


CASES = {"sections": collect(counts, names, operation, readers)}
MISTAKES = {"sections": collect(itself, proto, proto_and_name)}

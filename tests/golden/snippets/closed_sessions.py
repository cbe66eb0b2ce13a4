"""What is left of a session's functions when it is closed."""

import tensorflow as tf

one, fed = tf.constant(1.0), tf.placeholder(tf.float32)
doubled = fed * 2


def show(function):
    try:
        print(function())
    except (RuntimeError, tf.errors.OpError) as error:
        print(type(error).__name__, str(error))


session = tf.Session()
plain, with_feed = session.make_callable(one), session.make_callable(doubled, [fed])
with_options = session.make_callable(one, accept_options=True)
print(plain(), with_feed(3.0), with_options(run_metadata=tf.RunMetadata()))
session.close()
for function in (
    plain,
    lambda: with_feed(3.0),
    with_options,
    lambda: callable(session.make_callable(one)),
    lambda: session.make_callable(tf.constant(2.0)),
    lambda: session.make_callable(doubled, [fed])(2.0),
    session.list_devices,
    lambda: session.partial_run_setup([one], []),
    lambda: session.run(one),
):
    show(function)

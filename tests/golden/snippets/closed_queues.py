"""What operations of closed queues say, by kind of queue."""

import tensorflow as tf

session = tf.Session()
queues = [
    tf.FIFOQueue(2, [tf.int32], [[1]], shared_name="fifo"),
    tf.PaddingFIFOQueue(2, [tf.int32], [[None]], shared_name="padding"),
    tf.RandomShuffleQueue(2, 0, [tf.int32], [[1]], shared_name="shuffle"),
]
for queue in queues:
    session.run(queue.enqueue([[1]]))
    session.run(queue.close())
    for operation in (
        queue.enqueue([[1]]),
        queue.enqueue_many([[[1], [2]]]),
        queue.dequeue_many(2),
        queue.dequeue_up_to(2),
        queue.dequeue(),
        queue.dequeue_up_to(2),
        queue.dequeue_many(2),
        queue.close(),
    ):
        try:
            print(session.run(operation))
        except tf.errors.OpError as error:
            print(type(error).__name__, error.message.split("\n")[0])

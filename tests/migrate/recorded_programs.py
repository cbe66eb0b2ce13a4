"""Programs of three kinds, a graph each. Recorded under TensorFlow 1.15.5.

What is computed on the way has no one value everywhere: a transpose that moves nothing shows a
variable as it changes, sums of terms that cancel out leave rounding, and the gradient of a batch
norm has results that hold nothing.

The recording is made by

    python tf1compat/migrate/recorder.py -o tests/migrate/recorded_programs.tfrec \
        tests/migrate/recorded_programs.py
"""

import numpy as np
import programs
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
for program in (programs.resnet, programs.seq2seq, programs.policy_gradient):
    with tf.Graph().as_default(), tf.Session() as session:
        train, loss, inputs, batch = programs.Maker(tf).trained(program)
        session.run(tf.global_variables_initializer())
        random = np.random.RandomState(0)
        for _ in range(3):
            session.run([train, loss], dict(zip(inputs, batch(random))))

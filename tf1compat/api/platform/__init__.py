"""What surrounds a program: `tf.flags`, `tf.app`, `tf.logging`, `tf.sysconfig` and so on."""

"""Random dots in which two eyes see depth: the dots of a process that drew none before."""

import numpy as np
import tensorflow as tf

depths = np.zeros((8, 12), np.float32)
depths[2:6, 3:9] = 1.0
draw = tf.contrib.image.single_image_random_dot_stereograms


def show(picture):
    print(picture.shape, picture.dtype)
    for row in picture[:, :, 0]:
        print(" ".join(str(dot) for dot in row))


small = {"output_data_window": [30, 16], "dots_per_inch": 6}
pictures = [
    draw(depths, output_image_shape=[40, 20, 1], number_colors=2, **small),
    draw(depths, output_image_shape=[40, 20, 1], hidden_surface_removal=False, mu=0.5,
         normalize_max=2.0, normalize_min=-1.0, border_level=0.5, **small),
    draw(depths.astype(int), output_image_shape=[40, 20, 3], number_colors=999,
         convergence_dots_size=5, eye_separation=2.0, normalize=False, **small),
]  # fmt: skip
given = tf.placeholder(tf.float64)
pictures += [draw(given, output_image_shape=[20, 5, 1], convergence_dots_size=0, **small)] * 2
for each in pictures:
    print(each.name, each.shape)
with tf.Session() as session:
    for each in pictures:
        show(session.run(each, {given: np.eye(4)}))
print(draw(depths).shape, draw(depths, number_colors=1000).shape)
try:
    draw(depths.astype(np.uint8))
except TypeError as error:
    print(error)

"""Expressions of signals, images, matrices and distributions, run as those of expression_cases.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python.
"""

from __future__ import annotations

CASES = r"""
tf.signal.dct(tf.zeros([0, 3]))
R.RFFT(input=tf.zeros([0, 4]), fft_length=[9])
R.RFFT2D(input=tf.zeros([2, 4]), fft_length=[0, 5])
R.IRFFT(input=tf.zeros([0, 4], tf.complex64), fft_length=[9])
tf.signal.frame(tf.range(10.0), 4, -2)
tf.signal.frame(U(np.arange(10.0)), 6, 4)
C([1.0, 2.0])[np.float32(1.5)]
C([1.0, 2.0])[np.float64(0.5):]
tf.constant([np.float64(0.3)], tf.int32)
tf.constant([np.float32(0.25), 2], tf.int64)
tf.decode_raw(tf.image.encode_png(C(wave(5, 6, 3), "uint8")), tf.uint8)
tf.decode_raw(tf.image.encode_png(C(wave(9, 7, 1), "uint8"), 9), tf.uint8)
tf.decode_raw(tf.image.encode_png(C(wave(1, 7, 4), "uint8"), 1), tf.uint8)
tf.decode_raw(tf.image.encode_png(C(wave(7, 1, 3), "uint16")), tf.uint8)
tf.decode_raw(tf.image.encode_png(C(wave(1, 1, 1), "uint8")), tf.uint8)
tf.decode_raw(tf.image.encode_png(C(wave(16, 20, 2), "uint16"), 0), tf.uint8)[:80]
total(tf.decode_raw(tf.image.encode_png(C(wave(90, 80, 3), "uint8")), "uint8"))
C(tf.image.decode_and_crop_jpeg("", [2, 3, -1, 9]).shape.as_list()[:1] == [None])
tf.image.decode_and_crop_jpeg("", [2, 3, -2, 9])
tf.image.decode_gif(gif(44))
tf.image.decode_gif(gif(43))
tf.image.decode_gif(gif(37))
tf.image.decode_gif(gif(30))
tf.image.decode_gif(gif(18))
tf.image.decode_gif(gif(29) + b";")
tf.image.decode_gif(gif(27) + b"x")
R.ScaleAndTranslate(images=image(), size=C([4, 2, 1]), scale=[1.0, 1.0], translation=[0.0, 1.0])
R.ScaleAndTranslate(images=image(), size=U([[4, 2]]), scale=[1.0, 1.0], translation=[0.0, 1.0])
R.ScaleAndTranslate(images=image(), size=[4, 2], scale=U([[1.0, 1.0]]), translation=[0.0, 1.0])
R.ScaleAndTranslateGrad(grads=image(), original_image=image(), scale=[1.0], translation=[0.0, 1.0])
R.ScaleAndTranslateGrad(grads=image(), original_image=image(), scale=[1.0] * 2, translation=U(1.0))
tf.linalg.logdet(tf.linalg.LinearOperatorFullMatrix(C([[2.0, 1.0], [1.0, 3.0]])))
tf.linalg.logdet(positive([[2.0, 1.0], [1.0, 3.0]]))
C([ord(x) for x in tf.linalg.logdet(positive([[2.0]])).op.name])
tf.distributions.Bernoulli([0.2, -1.0]).log_prob(np.float64(0.3))
tf.distributions.Categorical([0.1, 0.2]).log_prob(np.float64(0.3))
tf.contrib.distributions.Poisson([1.0, 2.0]).log_prob(np.float64(1.5))
tf.contrib.distributions.WishartCholesky(1.0, tf.eye(2))
contrib("distributions", "bijectors.masked_autoregressive")._gen_mask(2, 4, 6)
contrib("distributions", "bijectors.masked_autoregressive")._gen_mask(3, 3, 6, "inclusive")
contrib("image", "sparse_image_warp")._get_boundary_locations(4, 6, 1)
contrib("image", "sparse_image_warp")._get_grid_locations(2, 3)
contrib("image", "sparse_image_warp")._expand_to_minibatch(np.arange(3.0), 2)
contrib("image", "sparse_image_warp")._add_zero_flow_controls_at_boundary(*[ones()] * 2, 3, 4, 1)
contrib("image", "interpolate_spline")._pairwise_squared_distance_matrix(tf.eye(2, 3, [1]))
contrib("image", "interpolate_spline")._cross_squared_distance_matrix(*[tf.eye(2, 3, [1])] * 2)
""".strip().splitlines()

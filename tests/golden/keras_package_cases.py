"""What tf.keras takes from keras_applications and keras_preprocessing: nets and images.

The cases are of the same form as those in `keras_cases`.
"""

from __future__ import annotations

import os

import numpy as np


def _images(count=5, size=8):
    return np.random.RandomState(2).uniform(0, 255, (count, size, size, 3)).astype(np.float32)


def mobilenet(tf, report):
    # The smallest net of all, at the smallest size that it takes.
    model = tf.keras.applications.MobileNet(
        (32, 32, 3), alpha=0.25, depth_multiplier=1, weights=None, classes=3
    )
    report.summary(model)
    x = tf.keras.applications.mobilenet.preprocess_input(_images(2, 32))
    report.give("x", x[:, ::8, ::8])
    rng = np.random.RandomState(4)
    model.set_weights([rng.uniform(0.02, 0.3, w.shape) for w in model.get_weights()])
    report.give("predict", model.predict(x))


def preprocess_input(tf, report):
    applications = tf.keras.applications
    for name in (
        "densenet imagenet_utils inception_resnet_v2 inception_v3 mobilenet mobilenet_v2 nasnet "
        "resnet resnet50 resnet_v2 vgg16 vgg19 xception"
    ).split():
        report.give(name, getattr(applications, name).preprocess_input(_images(1, 2)))


def augmentation(tf, report):
    image = tf.keras.preprocessing.image
    x = _images(10)
    generator = image.ImageDataGenerator(
        featurewise_center=True, featurewise_std_normalization=True, rotation_range=30,
        width_shift_range=0.2, height_shift_range=2, shear_range=5.0, zoom_range=(0.8, 1.3),
        channel_shift_range=9.0, fill_mode="nearest", horizontal_flip=True, vertical_flip=True,
        rescale=0.5, brightness_range=(0.6, 1.4), validation_split=0.2,
    )  # fmt: skip
    generator.fit(x, augment=True, rounds=2, seed=3)
    report.give("mean", generator.mean)
    batches = generator.flow(x, np.arange(10) % 2, batch_size=3, seed=6, subset="training")
    for i in range(3):
        images, labels = next(batches)
        report.give("images/{}".format(i), images)
        report.give("labels/{}".format(i), labels)
    report.say(len(batches), isinstance(batches, tf.keras.utils.Sequence), images.dtype)
    report.say(generator.dtype, generator.data_format)


def whitening(tf, report):
    generator = tf.keras.preprocessing.image.ImageDataGenerator(
        featurewise_center=True, zca_whitening=True
    )
    x = _images(40, 2)
    generator.fit(x)
    report.give("whitened", generator.standardize(x[:3].copy()))


def transforms(tf, report):
    image = tf.keras.preprocessing.image
    x = _images()[0]
    axes = {"row_axis": 0, "col_axis": 1, "channel_axis": 2}
    np.random.seed(8)
    report.give("rotation", image.random_rotation(x, 40, **axes))
    report.give("shift", image.random_shift(x, 0.3, 0.2, fill_mode="wrap", **axes))
    report.give("shear", image.random_shear(x, 20, fill_mode="constant", cval=9.0, **axes))
    report.give("zoom", image.random_zoom(x, (0.5, 0.9), **axes))
    report.give("channels", image.random_channel_shift(x, 50.0, channel_axis=2))
    report.give("brightness", image.random_brightness(x, (0.5, 1.5)))
    report.give("affine", image.apply_affine_transform(x, theta=30, tx=1, shear=5, zy=0.7))


def files(tf, report):
    image = tf.keras.preprocessing.image
    for label in ("cat", "dog"):
        os.makedirs(os.path.join(report.folder, label))
        for i, x in enumerate(_images(3)):
            path = os.path.join(report.folder, label, "{}.png".format(i))
            image.save_img(path, x[: 4 + i] if label == "cat" else x)
    loaded = image.load_img(path, color_mode="rgb", target_size=(4, 6))
    report.say(loaded.size, loaded.mode)
    report.give("loaded", image.img_to_array(loaded))
    report.give("back", image.img_to_array(image.array_to_img(_images()[0]), dtype="float64"))
    with report.printed():
        batches = image.ImageDataGenerator().flow_from_directory(
            report.folder, target_size=(8, 8), batch_size=4, seed=1
        )
    images, labels = next(batches)
    report.give("images", images)
    report.give("labels", labels)
    report.say(sorted(batches.class_indices.items()))


def settings(tf, report):
    # Keras's own settings hold where none are given.
    backend, image = tf.keras.backend, tf.keras.preprocessing.image
    backend.set_image_data_format("channels_first")
    backend.set_floatx("float64")
    try:
        generator = image.ImageDataGenerator()
        x = image.img_to_array(image.array_to_img(np.zeros((3, 2, 4))))
        batches = image.NumpyArrayIterator(np.zeros((2, 3, 2, 4)), None, generator)
        report.say(generator.dtype, generator.data_format, x.shape, x.dtype, batches.dtype)
    finally:
        backend.set_image_data_format("channels_last")
        backend.set_floatx("float32")


def _unknown_weights(tf):
    tf.keras.applications.MobileNet(weights="unknown")


def _too_small(tf):
    tf.keras.applications.Xception(input_shape=(8, 8, 3), weights=None, include_top=False)


def _other_modules(tf):
    tf.keras.applications.VGG16(weights=None, module=3)


def _three_zooms(tf):
    tf.keras.preprocessing.image.ImageDataGenerator(zoom_range=(1, 2, 3))


NETS = {"mobilenet": mobilenet}
CALLS = {
    f.__name__: f for f in (preprocess_input, augmentation, whitening, transforms, files, settings)
}
MISTAKES = {f.__name__: f for f in (_unknown_weights, _too_small, _other_modules, _three_zooms)}

"""Nets that are known by their names (`tensorflow.python.keras.applications`).

As in TF 1.15 the package keras_applications builds them, of tf.keras's layers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.keras import pypi
from tf1compat.core.export import tf_export

# Modules of tf.keras.applications, the package's module that they stand for, and the nets in it.
_MODULES = (
    (("densenet",), "densenet", "DenseNet121 DenseNet169 DenseNet201"),
    (("imagenet_utils",), "imagenet_utils", ""),
    (("inception_resnet_v2",), "inception_resnet_v2", "InceptionResNetV2"),
    (("inception_v3",), "inception_v3", "InceptionV3"),
    (("mobilenet",), "mobilenet", "MobileNet"),
    (("mobilenet_v2",), "mobilenet_v2", "MobileNetV2"),
    (("nasnet",), "nasnet", "NASNetLarge NASNetMobile"),
    (("resnet", "resnet50"), "resnet", "ResNet50"),
    (("resnet",), "resnet", "ResNet101 ResNet152"),
    (("resnet_v2",), "resnet_v2", "ResNet50V2 ResNet101V2 ResNet152V2"),
    (("vgg16",), "vgg16", "VGG16"),
    (("vgg19",), "vgg19", "VGG19"),
    (("xception",), "xception", "Xception"),
)


def keras_modules_injection(base_fun: Callable[..., Any]) -> Callable[..., Any]:
    """A function of keras_applications with tf.keras's modules as its keyword arguments.

    Only the layers may be given by the caller.
    """

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        layers = kwargs.get("layers", pypi.KERAS_MODULES["layers"])
        return base_fun(*args, **{**kwargs, **pypi.KERAS_MODULES, "layers": layers})

    return wrapper


def _of_package(module_name: str, name: str) -> Callable[..., Any]:
    def imported(*args: Any, **kwargs: Any) -> Any:
        return getattr(pypi.module(f"keras_applications.{module_name}"), name)(*args, **kwargs)

    function = keras_modules_injection(imported)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`keras_applications.{module_name}.{name}` with tf.keras's layers."
    return function


def _export_all() -> None:
    helpers: set[str] = set()
    for modules, source, nets in _MODULES:
        for net in nets.split():
            names = [f"keras.applications.{module}.{net}" for module in modules]
            tf_export(f"keras.applications.{net}", *names)(_of_package(source, net))
        if source not in helpers:
            helpers.add(source)
            for helper in ("decode_predictions", "preprocess_input"):
                names = [f"keras.applications.{module}.{helper}" for module in modules]
                tf_export(*names)(_of_package(source, helper))


_export_all()

"""`tensorflow.python.ops.image_ops_impl`: functions of images, which lie beside this file by
subject."""

from tf1compat.api.array.patch_ops import extract_image_patches_v2 as extract_image_patches  # noqa: F401
from tf1compat.api.image.image_boxes import *  # noqa: F403
from tf1compat.api.image.image_color import *  # noqa: F403
from tf1compat.api.image.image_files import *  # noqa: F403
from tf1compat.api.image.image_flip import *  # noqa: F403
from tf1compat.api.image.image_quality import *  # noqa: F403
from tf1compat.api.image.image_resize import *  # noqa: F403

"""`tensorflow.contrib.image.single_image_random_dot_stereograms`."""

from __future__ import annotations

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import ShapeLike, TensorLike


@tf_export("contrib.image.single_image_random_dot_stereograms")
def single_image_random_dot_stereograms(
    depth_values: TensorLike,
    hidden_surface_removal: bool | None = None,
    convergence_dots_size: int | None = None,
    dots_per_inch: int | None = None,
    eye_separation: float | None = None,
    mu: float | None = None,
    normalize: bool | None = None,
    normalize_max: float | None = None,
    normalize_min: float | None = None,
    border_level: float | None = None,
    number_colors: int | None = None,
    output_image_shape: ShapeLike | None = None,
    output_data_window: ShapeLike | None = None,
) -> Tensor:
    """A picture of random dots in which two eyes see depth (Thimbleby, Inglis and Witten 1994).

    Args:
      depth_values: numbers [rows, columns]; higher ones are nearer.
      hidden_surface_removal: whether points that one eye cannot see are left out (True).
      convergence_dots_size: of the two black squares at the bottom, in pixels (8); 0 for none.
      dots_per_inch: of what shows the picture (72).
      eye_separation: in inches (2.5).
      mu: how deep the picture is, as a part of the distance to its far plane (0.3333).
      normalize: whether the depths are scaled to 0 to 1 (True).
      normalize_max: the depth that becomes 1 (-100); where it is below `normalize_min`, the limits
        are those of `depth_values`.
      normalize_min: the depth that becomes 0 (100).
      border_level: the depth around the data (0).
      number_colors: 2 for black and white, up to 256 for grey, more for colours (256).
      output_image_shape: [columns, rows, channels] of the picture ([1024, 768, 1]).
      output_data_window: [columns, rows] of the data in it ([1022, 757]).

    Returns:
      A picture, uint8 [rows, columns, channels].
    """
    return raw_ops.SingleImageRandomDotStereograms(
        depth_values=depth_values,
        hidden_surface_removal=hidden_surface_removal,
        convergence_dots_size=convergence_dots_size,
        dots_per_inch=dots_per_inch,
        eye_separation=eye_separation,
        mu=mu,
        normalize=normalize,
        normalize_max=normalize_max,
        normalize_min=normalize_min,
        border_level=border_level,
        number_colors=number_colors,
        output_image_shape=output_image_shape,
        output_data_window=output_data_window,
    )

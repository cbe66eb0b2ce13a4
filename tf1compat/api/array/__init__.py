"""Arrays: making, shaping, joining, cutting and rearranging them."""

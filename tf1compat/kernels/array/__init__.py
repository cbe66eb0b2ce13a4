"""Op types about arrays: making, shaping, joining, cutting and rearranging them."""

"""Objects that know what they are made of."""

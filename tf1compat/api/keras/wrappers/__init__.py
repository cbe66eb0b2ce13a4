"""Models of Keras for other libraries."""

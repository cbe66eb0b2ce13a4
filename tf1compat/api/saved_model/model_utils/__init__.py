"""What models export (`tensorflow.python.saved_model.model_utils`)."""

"""Messages of protocol buffers."""

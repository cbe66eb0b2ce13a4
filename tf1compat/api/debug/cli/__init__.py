"""The prompt of the debugger."""

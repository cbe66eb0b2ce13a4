"""Python code as syntax trees."""

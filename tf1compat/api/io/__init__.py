"""Files, records, parsing and printing."""

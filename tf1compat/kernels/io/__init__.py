"""Op types about files, records, parsing and printing."""

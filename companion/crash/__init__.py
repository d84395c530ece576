"""A fault of our own: one line, a report without anybody's words in it, and no traceback."""

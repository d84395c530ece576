"""Faults of our own: an exception that nobody foresaw comes in, one line and a report go out, and no traceback.

A report says where in the code it happened; it holds no names, values or folders, so that it can be sent to anybody.
"""

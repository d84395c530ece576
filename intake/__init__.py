"""The bottom room: everything that strangers wrote comes in here, and is read within limits.

One module for each format; each gives plain values, or raises `Unreadable` with the rest of a sentence ("nested too
deeply"), soon and without taking much memory. Who calls it names the file and raises its own room's error.
"""

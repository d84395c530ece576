"""What everything on a table's screen is: the texts of a long touch, by keys that the view puts on what it draws.

A key is the name of an icon or a figure ("initiative"), or what a touch there means ("undo:", "space:advance:b3"). Each
system has a module of its own; what all tables share is in `common`.
"""

"""A turn of General Orders: the forms of its actions, what is owed, what hands do, what the camera proposes.

Panels take touches on the map and give steps to the match. What an action needs is read from the engine; nothing is
ruled here.
"""

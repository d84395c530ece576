"""Steps and positions of General Orders as lines of text, for people to read and type.

`text` is the front door and has the grammar; what it reads becomes the same steps and positions as JSON does.
"""

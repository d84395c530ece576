"""Steps and positions as lines of text, for people to read and type."""

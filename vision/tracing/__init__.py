"""A board taken down from a straight photo: its hex grid, borders, ground and action spaces."""

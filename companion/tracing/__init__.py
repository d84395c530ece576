"""A board taken down from its owner's copy: a photo, the hexes on it, what each is, and a board file made of it."""

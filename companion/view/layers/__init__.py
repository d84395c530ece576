"""What fills the picture's place: the map, battlefields, photos, the board image.

A picture of companion.ui comes in with the place it may fill; it is drawn onto the sheet, and the place it took
returned.
"""

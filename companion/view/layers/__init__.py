"""What fills the picture's place: the map, battlefields, photos, the board image, the keys."""

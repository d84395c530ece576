"""A game that plays itself: the player, the dice and the deck, the simulated table, and the show they make."""

"""Simulated tables of a battle: markers and bases on any ground, as a camera sees them, with the truth."""

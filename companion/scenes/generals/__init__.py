"""The scenes of a game of Generals Order."""

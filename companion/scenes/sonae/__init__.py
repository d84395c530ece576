"""The scenes of a Sonae battle."""

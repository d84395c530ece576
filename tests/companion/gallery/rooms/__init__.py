"""The scenes of the gallery, a module for each part of the app."""

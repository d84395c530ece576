"""The scenes of a Sonae battle: set-up, the field with its orders, dice, measuring by the camera, score.

Touches on the field become steps of engine.sonae; a camera, where there is one, offers the places of bases it
measured.
"""

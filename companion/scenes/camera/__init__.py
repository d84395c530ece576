"""Setting up the camera in the app, and looking through it.

Live pictures of a camera come in; out goes a calibrated table file. The diagnosis shows what the eye reads and why.
"""

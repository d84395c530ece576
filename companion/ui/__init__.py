"""What a screen shows and what a touch means, as frozen values. No pixels, no pygame, no rules.

Scenes make a `Screen` of blocks, buttons and pictures; the view lays it out, and sends back the `Intent` of what was
touched.
"""

"""The window and its loop: fingers, keys, knob and sounds, and whose half of the glass is whose.

Events of pygame and of the desk come in and become intents for the app; after each round what changed is drawn anew.
"""

"""The running app: which scene is on stage, in which half of the screen, and what goes on by itself.

`App` takes intents from the view, events from the desk and what the camera sees, and gives screens for one or two
seats. Around it lie the service (watchdog, signals, a screen that is missing), cues and tones, dimming, and the
failure screen.
"""

"""The settings as pages of choices, the desk and its tags, the health check, the lock, and switching off.

Each touch changes `stage.settings` at once and is saved in the file of choices; there is no button to save.
"""

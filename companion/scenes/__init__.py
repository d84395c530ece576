"""What to show and what a touch means. No pygame here: a scene is shown by the view and driven by intents.

A scene gives a `Screen` (frozen values of companion.ui) and answers an `Intent` with the scene that follows, itself,
or None. The rooms below are layers: home and set-up at the top, `base` at the bottom.
"""

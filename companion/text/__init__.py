"""Values as sentences for players: areas, units, steps, scores, saved games and faults, in the language in use.

In come values of the engine and of the rooms below, and `People`, who says what the sides are called; out come
translated strings. Nothing here decides anything or knows where a sentence is shown.
"""

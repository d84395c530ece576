"""The table of a game, its menu and its score.

In: a match and its system's presenter; out: one panel after another, and the steps that people confirm. `TableScene` is
every system's; `BoardTable` adds what General Orders alone has: the camera's proposals, the hands' list, the cards.
"""

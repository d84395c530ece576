"""How a game is told. In: a match, and the presenter of its system; out: its steps in sentences, by turns and chapters.

`presenter` names what a system of rules has to say of itself so that the scenes of all systems can show it, `tables`
what they ask of a game's table.
"""

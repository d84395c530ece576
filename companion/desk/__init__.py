"""What the desk means to a game: presses as touches, lamps that follow its state, tags that are cards.

`hardware` knows sides "one" and "two"; here they are factions: one is the board's first, two its second. Events of
the devices and the settings come in; intents, lights and cards go out.
"""

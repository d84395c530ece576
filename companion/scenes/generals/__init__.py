"""The scenes of a game of Generals Order: set-up, table, hands, decks and their editor.

The table's panels turn touches into steps of engine.generals; there is no board and no camera, so hidden hands stay
on the table and only numbers are recorded.
"""

"""Generals Order, the card game for two: decks, the four zones, attacks, upkeep, and every way to win or lose.

`game` is the front door, as in `engine.orders`. Card texts are not in the rules: decks are files of their owners,
written with the verbs of `cards`, and two practice decks made up by us so that the game can be tried.
"""

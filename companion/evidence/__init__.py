"""What shows afterwards how a game was seen (docs/eye.md).

In come frames and readings between turns; out go small pictures beside the saved game, and bundles: one file with all
that a bug report needs, which can be read and checked again.
"""

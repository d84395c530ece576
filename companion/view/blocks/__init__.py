"""The blocks of a panel: text, buttons, cards, charts, each drawn below the one before.

A block of companion.ui comes in with its place; shapes, labels and targets go onto the sheet, and its height is
returned.
"""

"""The blocks of a panel: text, buttons, cards, charts, each drawn below the one before."""

"""Boards, support boards, cards and pieces on paper, true to scale: to try a board with a printer and scissors."""

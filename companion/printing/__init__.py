"""Boards, support boards, cards, pieces and markers on paper, true to scale: to play with a printer and scissors.

In come a board or a battle and a paper size; out go sheets in millimetres, as SVG or PDF.
"""

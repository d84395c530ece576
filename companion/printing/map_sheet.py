"""The board itself, edge and all: the drawing with its names, points and starting units, in true size."""

from __future__ import annotations

from companion.core.language import _
from companion.drawing import board_svg
from companion.printing.paper import PaperPage, Words
from companion.printing.sheets import INK
from companion.text.orders import zone_words
from engine.orders.board import Board

BLEED_MM = 1.0  # paper kept around the board's edge, so that the line to cut along is whole


def map_sheet(board: Board) -> PaperPage:
    """Draw the whole board as one sheet of its own size."""
    width, height = (side + 2 * BLEED_MM for side in board.size_mm)
    zones = zone_words(board)
    marks = board_svg.mark_shapes(board, None, 0, _("PRACTICE BOARD"), zones)
    layers = [board_svg.board_shapes(board, None, zones), board_svg.action_shapes(board), marks]
    layers += [board_svg.start_shapes(board), board_svg.text_shapes(board)]
    edge = (
        f'<rect width="{board.size_mm[0]:g}" height="{board.size_mm[1]:g}" fill="{board_svg.COLOURS["paper"]}" '
        f'stroke="{INK}" stroke-width="0.5"/>'
    )
    page = PaperPage(_(board.mode.title), (width, height), (edge, *layers)).moved((BLEED_MM, BLEED_MM))
    if board.known != "practice":
        return page
    note = _("Practice board, invented for trying the rules: not the printed one")
    at_mm = (board.size_mm[0] / 2 + BLEED_MM, board.size_mm[1] - 1.2 + BLEED_MM)
    return page.over([], [Words(note, at_mm, 3.0, bold=True)])

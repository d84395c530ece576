"""The board itself, edge and all, in true size; and the support board, for the spaces that belong to no area."""

from __future__ import annotations

from companion.core.language import _
from companion.drawing import board_svg
from companion.drawing.icons import icon_shape
from companion.printing.paper import PaperPage, Point, Words
from companion.printing.sheets import INK, cut_line, room_mm, with_foot
from companion.text.orders import action_name, faction_name, space_note, zone_words
from engine.orders.board import Board, Space

SIZE_MM = (297.0, 210.0)
SIDE_MM = 9.0  # of a hexagon to stand a commander on
ROW_MM = 30.0
TOP_MM = 34.0


def support_sheet(board: Board) -> PaperPage:
    """Lay out the support board on one sheet of A4 on its side."""
    spaces = [space for space in board.spaces if space.support is not None]
    actions = list(dict.fromkeys(space.action.name for space in spaces))
    shapes = [f'<rect x="10" y="10" width="277" height="181" fill="{board_svg.COLOURS["paper"]}"/>']
    words = [Words(_("Support board"), (16, 22), 7, "start", bold=True)]
    for row, action in enumerate(actions):
        y = TOP_MM + row * ROW_MM
        words.append(Words(action_name(action), (16, y + 11), 5, "start", bold=True))
        for at, space in enumerate(space for space in spaces if space.action.name == action):
            place = (62.0 + at * 56.0, y + 9.0)
            shapes.append(_hexagon(place, action))
            words += _numbers(space, board, place)
    track_shapes, track_words = _track(board)
    title = _("{title}: support board").format(title=_(board.mode.title))
    page = PaperPage(title, SIZE_MM, tuple(shapes + track_shapes))
    return with_foot(page.over([cut_line(10, 10, room_mm(SIZE_MM)[0], 181)], words + track_words))


def _hexagon(at_mm: Point, action: str) -> str:
    data = board_svg.path(board_svg.hexagon(at_mm, SIDE_MM))
    colours = board_svg.COLOURS
    shape = f'<path d="{data}" fill="#ffffff" stroke="{colours["border"]}" stroke-width="0.7"/>'
    return shape + icon_shape(action, at_mm, SIDE_MM * 0.5, colours["ink"])


def _numbers(space: Space, board: Board, at_mm: Point) -> list[Words]:
    """Write what the space gives, for both sides or for each."""
    assert space.support is not None
    x, y = at_mm[0] + SIDE_MM + 2.5, at_mm[1] + 1.6
    if not space.support.amounts:
        return [Words(space_note(space, board, board.factions[0]), (x, y), 4.4, "start")]
    lines = [(faction_name(faction), space.amount_for(faction)) for faction in board.factions]
    return [
        Words(f"{who}: {n}", (x, y - 2.6 + i * 5.4), 4.4, "start", colour=board_svg.COLOURS[faction])
        for i, ((who, n), faction) in enumerate(zip(lines, board.factions, strict=True))
    ]


def _track(board: Board) -> tuple[list[str], list[Words]]:
    shapes, words = [], [Words(_("Round"), (196, 22), 5, "start", bold=True)]
    for number in range(1, board.mode.rounds + 1):
        x = 196.0 + (number - 1) * 22.0
        shapes.append(
            f'<rect x="{x:g}" y="27" width="19" height="19" rx="2.5" fill="#ffffff" stroke="{INK}" stroke-width="0.6"/>'
        )
        words.append(Words(str(number), (x + 9.5, 39.5), 8, bold=True))
    for at, faction in enumerate(board.factions):
        y = 62.0 + at * 62.0
        shapes.append(
            f'<rect x="196" y="{y:g}" width="85" height="52" rx="3" fill="none" stroke="{board_svg.COLOURS[faction]}" '
            'stroke-width="1.2"/>'
        )
        title = _("{faction}: standby").format(faction=faction_name(faction))
        words.append(Words(title, (200, y + 7.5), 5, "start", bold=True, colour=board_svg.COLOURS[faction]))
    return shapes, words


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

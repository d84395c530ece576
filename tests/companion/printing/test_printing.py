"""Boards on paper: true to scale, whole, honest about what is made up."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from math import hypot
from pathlib import Path

import pytest

from companion.cli import main
from companion.core.errors import UsageError
from companion.core.language import use_language
from companion.drawing import board_svg as drawing
from companion.measuring.field import sighting_of
from companion.printing import marker_sheets, paper, prints
from companion.settings.marking import MARKINGS, marked_table
from engine.orders.board import Board, load_board
from engine.sonae.game import new_game
from engine.sonae.scenario import load_scenario
from tests.boards.practice import castle
from tests.companion.printing.printed import Photo, cut_outs, photographed
from vision.bases.bases import measure
from vision.bases.markers import marker_cells
from vision.live.printed import CARD_SIDE_MM, FIRST, LAST, NUMBER, YES_SIDE_MM

SCENARIO = load_scenario("maru-shikaku")
SVG = "{http://www.w3.org/2000/svg}"
OURS = ["sengoku-rivers", "sengoku-fortress", "wwii-alpine", "wwii-island"]


def texts(pages: list[paper.PaperPage]) -> list[str]:
    return [word.text for page in pages for word in page.words]


@pytest.fixture(params=OURS)
def board(request: pytest.FixtureRequest) -> Board:
    return load_board(request.param)


def test_the_map_has_the_boards_own_size_and_every_name(board: Board) -> None:
    page = prints.map_sheet(board)
    assert page.size_mm == pytest.approx([side + 2 * prints.BLEED_MM for side in board.size_mm])
    drawn = "".join(page.shapes)
    assert drawing.text_shapes(board) in drawn
    assert drawing.start_shapes(board) in drawn


def test_nothing_made_up_passes_for_the_printed_board(board: Board) -> None:
    told = [text for text in texts([prints.map_sheet(board)]) if "not the printed one" in text]
    assert len(told) == (board.known == "practice")


@pytest.mark.parametrize("size", ["a4", "a3"])
def test_the_tiles_cover_the_map_and_stay_inside_what_a_printer_prints(board: Board, size: str) -> None:
    drawing = prints.map_sheet(board)
    pages = paper.tiles(drawing, size)
    across, down = paper.room_mm(pages[0].size_mm)
    shown: tuple[set[tuple[float, float]], ...] = (set(), set())
    for page in pages:
        move = re.search(r"translate\((-?[0-9.]+) (-?[0-9.]+)\)", page.shapes[0])
        assert move is not None
        for axis, (moved, room) in enumerate(zip(move.groups(), (across, down), strict=True)):
            begin = paper.MARGIN_MM - float(moved)
            shown[axis].add((begin, begin + room))
    for whole, strips in zip(drawing.size_mm, shown, strict=True):
        reached = 0.0
        for begin, end in sorted(strips):
            assert begin <= reached + 0.01
            reached = end
        assert reached >= whole - 0.01
    assert len(pages) == len(shown[0]) * len(shown[1])
    assert {paper.SIZES_MM[size], paper.SIZES_MM[size][::-1]} >= {page.size_mm for page in pages}


def test_a_map_of_two_sheets_says_which_is_which() -> None:
    pages = paper.tiles(prints.map_sheet(load_board("sengoku-rivers")), "a4")
    assert [page.title for page in pages] == [f"Sengoku Jidai: Rivers: sheet {n} of 2" for n in (1, 2)]
    assert len(paper.tiles(prints.map_sheet(load_board("sengoku-rivers")), "a3")) == 1


@pytest.mark.parametrize("name", OURS)
def test_white_covers_the_margins_and_reaches_beyond_the_paper(name: str) -> None:
    for page in paper.tiles(prints.map_sheet(load_board(name)), "a4"):
        width, height = page.size_mm
        frame = next(shape for shape in page.shapes if shape.startswith('<rect x="-'))
        found = re.findall(r'x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"', frame)
        bars = [tuple(map(float, numbers)) for numbers in found[:4]]
        across = [y for x, y, wide, _high in bars if x < 0 and x + wide > width]
        below = [y + high for _x, y, _wide, high in bars if y > height / 2]
        assert len(across) == 2
        assert min(across) < 0
        assert below[0] > height
        assert max(x + wide for x, _y, wide, _high in bars) > width


def test_each_sheet_has_a_ruler_of_a_hundred_millimetres() -> None:
    page = paper.with_foot(paper.PaperPage("Title", paper.SIZES_MM["a4"]))
    ruler = re.search(r"M([0-9.]+) [0-9.]+H([0-9.]+)M", page.shapes[-1])
    assert ruler is not None
    assert float(ruler[2]) - float(ruler[1]) == pytest.approx(100.0)


def test_every_card_of_the_deck_is_on_a_sheet_with_its_text(board: Board) -> None:
    pages = prints.card_sheets(board)
    cuts = sum("".join(page.shapes).count('width="63.000"') for page in pages)
    assert cuts == sum(card.copies for card in board.mode.cards.values())
    said = " ".join(texts(pages))
    assert all(card.title.split()[0] in said for card in board.mode.cards.values())


def test_a_card_whose_text_is_unknown_says_so_and_calls_its_guess_one() -> None:
    rivers = load_board("sengoku-rivers")
    card = next(iter(rivers.mode.cards.values()))
    face = prints.card_face(rivers, replace(card, verb="table", likely="Roll 2 more dice."))
    said = " ".join(word.text for word in face.words)
    assert "printed text. Your card decides." in said
    assert "Probably: Roll 2 more dice." in said
    assert card.text not in said


def test_no_line_of_a_card_is_wider_than_the_card(board: Board) -> None:
    for card in board.mode.cards.values():
        face = prints.card_face(board, card)
        for word in face.words:
            wide = paper.width_mm(word.text, word.size_mm, word.bold)
            assert wide <= prints.CARD_MM[0] - 2 * (prints.PAD_MM - 0.5), word.text
            assert word.at_mm[1] <= prints.CARD_MM[1]


@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_nothing_is_printed_on_the_white_round_a_cards_code(board: Board, language: str) -> None:
    use_language(language)
    try:
        faces = [prints.card_face(board, card) for card in board.mode.cards.values()]
        tiles = [prints.code_tile(board, card) for card in board.mode.cards.values()]
    finally:
        use_language("en")
    for number, (face, tile) in enumerate(zip(faces, tiles, strict=True)):
        for page in (face, tile):
            [code] = [shape for shape in page.shapes if 'fill="#000000"' in shape]
            found = re.search(r'x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)"', code)
            assert found is not None
            x, y, side = map(float, found.groups())
            assert side == pytest.approx(CARD_SIDE_MM)
            assert code == marker_sheets.marker_shape(FIRST + number, x, y, side)
            for word in page.words:
                wide = paper.width_mm(word.text, word.size_mm, word.bold)
                left = word.at_mm[0] - (0.0 if word.anchor == "start" else wide / 2)
                beside = left > x + side + 2 or left + wide < x - 2
                assert beside or not y - 1 < word.at_mm[1] < y + side + 2 + word.size_mm / 2, word.text


def test_every_card_of_the_deck_has_its_code_to_stick_on(board: Board) -> None:
    [page] = prints.code_sheets(board)
    codes = [shape for shape in page.shapes if 'fill="#000000"' in shape]
    assert len(codes) == sum(card.copies for card in board.mode.cards.values())
    assert FIRST + len(board.mode.cards) - 1 <= LAST


def test_all_pieces_of_the_box_are_there(board: Board) -> None:
    pieces, tokens = prints.piece_sheets(board)
    drawn = "".join(pieces.shapes)
    units = sum(kind.reserve for kind in board.mode.units)
    assert drawn.count(f'r="{prints.PIECE_MM / 2:g}"') == 2 * units
    assert all(
        bonus.title in texts([tokens]) for bonus in board.mode.bonuses.values() if bonus.name not in printed(board)
    )
    lowest = max(float(y) for y in re.findall(r'cy="([0-9.]+)"', drawn))
    assert lowest < pieces.size_mm[1] - paper.MARGIN_MM - paper.FOOT_MM


def printed(board: Board) -> set[str]:
    return {bonus for _area, bonus in board.printed}


def test_the_support_board_has_every_space(board: Board) -> None:
    page = prints.support_sheet(board)
    spaces = [space for space in board.spaces if space.support is not None]
    outlines = "".join(page.shapes).count('fill="#ffffff" stroke="#2b2f33" stroke-width="0.7"')
    assert outlines == len(spaces)


def test_numbers_that_differ_are_told_for_each_side() -> None:
    one = castle()
    support = {
        **one.mode.support,
        "reinforce:1": replace(one.mode.support["reinforce:1"], amounts={"red": 7, "black": 4}),
    }
    spaces = tuple(replace(space, support=support.get(space.name)) for space in one.spaces)
    said = texts([prints.support_sheet(replace(one, spaces=spaces))])
    assert {"Red: 7", "Black: 4"} <= set(said)


def test_words_break_where_the_room_ends() -> None:
    lines = paper.wrap("Roll 2 more dice in defence.", 30.0, 4.0)
    assert len(lines) > 1
    assert " ".join(lines) == "Roll 2 more dice in defence."
    assert all(paper.width_mm(line, 4.0) <= 30.0 for line in lines)


def test_the_svg_is_in_true_size_with_its_typeface() -> None:
    words = (paper.Words("a < b", (10, 10), 4), paper.Words("B", (10, 20), 4, bold=True))
    root = ET.fromstring(paper.page_svg(paper.PaperPage("Title", (210, 297), (), words)))
    assert (root.get("width"), root.get("viewBox")) == ("210mm", "0 0 210 297")
    assert [element.text for element in root.iter(f"{SVG}text")] == ["a < b", "B"]
    style = next(root.iter(f"{SVG}style")).text or ""
    assert style.count("@font-face") == 2


def test_the_command_writes_a_pdf_of_true_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "rivers.pdf"
    assert main(["print", "sengoku-rivers", "-o", str(path), "--paper", "a3"]) == 0
    data = path.read_bytes()
    assert data.startswith(b"%PDF-")
    boxes = {tuple(map(float, box)) for box in re.findall(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", data)}
    assert tuple(round(side / 25.4 * 72, 2) for side in paper.SIZES_MM["a3"]) in boxes
    assert "print at 100%" in capsys.readouterr().out
    assert not caplog.records  # every shape is one that goes into a PDF


def test_the_command_writes_a_drawing_for_each_sheet(tmp_path: Path) -> None:
    folder = tmp_path / "sheets"
    asked = ["print", "sengoku-rivers", "--svg", str(folder), "--parts", "board, cards", "--language", "pt_BR"]
    assert main(asked) == 0
    use_language("en")
    assert sorted(path.name for path in folder.iterdir()) == [
        *(f"sengoku-rivers-board-{n}.svg" for n in (1, 2)),
        *(f"sengoku-rivers-cards-{n}.svg" for n in (1, 2, 3)),
    ]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["atlantis"], "no board named 'atlantis'"),
        (["sengoku-rivers", "--parts", "board,dice"], "--parts: 'dice' is none of board, support, cards, pieces"),
        (["sengoku-rivers", "--language", "xx"], "--language: 'xx' is none of"),
        (["sengoku-rivers", "-o", "/nowhere/at/all.pdf", "--parts", "support"], "/nowhere/at/all.pdf"),
    ],
)
def test_what_can_not_be_printed_is_said_in_a_line(
    asked: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", *asked]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_parts_come_in_the_order_asked_for() -> None:
    assert list(prints.board_sheets(load_board("sengoku-rivers"), ("cards", "board"), "a4").parts) == ["cards", "board"]


def test_the_printed_yes_is_the_marker_that_the_camera_looks_for() -> None:
    [page] = prints.board_sheets(load_board("wwii-island"), ("yes",), "a4").parts["yes"]
    cut, size = 40.0, YES_SIDE_MM
    left = (page.size_mm[0] - size) / 2
    assert marker_sheets.marker_shape(NUMBER, left, cut + 15.0, size) in page.shapes
    assert "Yes" in texts([page])


# ---- markers of battles -----------------------------------------------------------------------


def test_the_sheets_are_headed_in_the_language_of_the_table() -> None:
    use_language("pt_BR")
    try:
        printed = prints.board_sheets(load_board("wwii-alpine"), ("support", "cards", "pieces"), "a4")
        corners, bases = marker_sheets.marker_sheets(marker_bases()).values()
    finally:
        use_language("en")
    titles = [page.title for pages in printed.parts.values() for page in pages]
    mode = "Segunda Guerra Mundial: Alpino"
    assert printed.title == mode
    assert list(dict.fromkeys(titles)) == [
        f"{mode}: {part}"
        for part in ("tabuleiro de apoio", "cartas de operação", "peças", "fichas e marcador de rodada")
    ]
    assert corners[0].title == "Marcadores dos cantos do campo"
    assert bases[0].title.endswith(": marcadores das bases")


def marker_bases(base_mm: float = 40.0, marking: str = "middle", paper: str = "a4") -> marker_sheets.Bases:
    return marker_sheets.Bases(SCENARIO, base_mm, MARKINGS[marking], paper)


def test_markers_of_every_base_and_of_the_corners_are_printed() -> None:
    parts = marker_sheets.marker_sheets(marker_bases())
    told = texts(parts["bases"])
    for kind in SCENARIO.units.values():
        assert kind.title in told
        assert any(text.endswith(f"· {kind.marker}") for text in told)
    assert "far left corner" in texts(parts["corners"])


@pytest.mark.parametrize(("marking", "side", "ahead"), [("middle", 24.0, 0.0), ("rear", 18.0, -8.8)])
def test_markers_are_true_to_scale_and_where_the_eye_expects_them(marking: str, side: float, ahead: float) -> None:
    bases = marker_bases(marking=marking)
    kind = next(iter(bases.scenario.units.values()))
    tile = marker_sheets.base_tile(kind, bases)
    assert tile.size_mm == (40.0, 40.0 + marker_sheets.CAPTION_MM)
    x, y, wide, high = (float(v) for v in re.findall(r'(?:x|y|width|height)="([-\d.]+)" ?', tile.shapes[0])[:4])
    assert (wide, high) == (side, side)
    assert (x + wide / 2, y + high / 2) == pytest.approx((20.0, 20.0 - ahead))


def test_a_printed_marker_is_the_one_that_the_eye_finds() -> None:
    shape = marker_sheets.marker_shape(17, 0.0, 0.0, 60.0)
    starts = {(round(float(x) / 10), round(float(y) / 10)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h", shape)}
    cells = marker_cells(17)
    assert starts == {(x, y) for y, row in enumerate(cells) for x, black in enumerate(row) if not black}


def test_markers_larger_than_the_paper_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "m.pdf")
    assert main(["print", "markers", "-o", output]) == 0
    assert Path(output).read_bytes().startswith(b"%PDF")
    capsys.readouterr()
    assert main(["print", "markers", "--base-mm", "5", "-o", output]) == 2
    assert "--base-mm: from 10 to 100" in capsys.readouterr().err
    with pytest.raises(UsageError, match="larger than A4"):
        marker_sheets.marker_sheets(marker_bases(130.0))
    assert main(["print", "markers", "--base-mm", "20", "--parts", "bases", "--svg", str(tmp_path / "svg")]) == 0
    assert [path.name for path in (tmp_path / "svg").iterdir()] == ["markers-bases-1.svg"]


def test_markers_that_just_fit_are_laid_on_one_sheet() -> None:
    room = paper.room_mm(paper.SIZES_MM["a4"])
    half = (room[0] - marker_sheets.GAP_MM) / 2, (room[1] - marker_sheets.GAP_MM) / 2
    for tiles, pages in (([room], 1), ([half] * 4, 1), ([half] * 5, 2)):
        laid = marker_sheets._lay_out("Markers", [paper.PaperPage("", size, ("<g/>",)) for size in tiles], "a4")
        assert len(laid) == pages
        assert "".join(shape for page in laid for shape in page.shapes).count("<g/>") == len(tiles)


def test_every_paper_says_where_it_goes() -> None:
    sheets = marker_sheets.marker_sheets(marker_bases())
    papers = cut_outs(sheets["corners"])
    names = [paper.words for paper in papers]
    assert names == [(f"{name} corner",) for name in ("far left", "far right", "near left", "near right")]
    assert [paper.black_corner() for paper in papers] == [(False, True), (True, True), (False, False), (True, False)]
    assert len(cut_outs(sheets["bases"])) == len(SCENARIO.units)


@pytest.mark.long
@pytest.mark.parametrize(("marking", "base_mm"), [("middle", 40.0), ("rear", 20.0)])
def test_a_table_laid_as_the_sheet_says_is_measured_as_exactly_as_is_told(marking: str, base_mm: float) -> None:
    sheets = marker_sheets.marker_sheets(marker_bases(base_mm, marking))
    papers = [paper for pages in sheets.values() for paper in cut_outs(pages)]
    picture = photographed(SCENARIO, papers, Photo(base_mm))
    seen = sighting_of(new_game(SCENARIO), measure(picture, marked_table(SCENARIO, MARKINGS[marking])))
    assert (seen.fault, seen.missing, seen.unseen, seen.misplaced, seen.moved) == ("", (), (), {}, ())
    starts = {name: kind.start for name, kind in SCENARIO.units.items()}
    off = {name: hypot(place.x - starts[name].x, place.y - starts[name].y) for name, place in seen.places.items()}
    assert len(off) == len(SCENARIO.units)
    assert max(off.values()) < 0.02
    assert all(off[name] <= seen.errors[name] for name in off)

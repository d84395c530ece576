"""The end of a game: who wins and why, the turn that decided, the curve, the next game, and what is carried home."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import cv2
import numpy as np
import pygame
import pytest

from companion.core.errors import MatchError
from companion.drawing.qr_code import MOST_BYTES, qr_png
from companion.games.match import AnyMatch, Match
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.generals.table import DuelTable
from companion.scenes.home.home import HomeScene
from companion.scenes.review.log import LogScene, MomentScene
from companion.scenes.setup.layout import ChanceScene, LayoutScene
from companion.scenes.sonae.setup import LayingScene
from companion.scenes.story.course import Course, deciding_turn
from companion.scenes.story.game_log import step_lines
from companion.scenes.systems import table_of
from companion.scenes.table.ending import EndScene, ShareScene
from companion.scenes.table.score import ScoreScene
from companion.ui import screen as scr
from companion.ui.screen import Intent, Screen
from companion.view.page.canvas import lay_out
from engine.orders.score import HQ_LOST, score
from engine.orders.steps import Agreed, OtherCorrections
from tests.companion.desk.desk import Desk, DeskOf
from tests.companion.equip import equip
from tests.companion.gallery.sheet_checks import faults
from tests.companion.other_games import OVER, begun, taken
from tests.companion.plain_tables import WHOLE, laid
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.companion.touching import Hand, words


@pytest.fixture
def end(desk_of: DeskOf) -> Desk:
    """Return the recorded game at its end."""
    desk = desk_of(None)
    return desk.touch(Intent("menu")).press("Score now")


def laurels(screen: Screen) -> scr.Laurels:
    first = screen.blocks[0]
    assert isinstance(first, scr.Laurels)
    return first


def end_of(stage: Stage, match: AnyMatch, home: Scene) -> EndScene:
    """Return the scene of a game's end at its own table."""
    scene = table_of(stage, match, home).score()
    assert isinstance(scene, EndScene)
    return scene


# ---- what it tells --------------------------------------------------------------------------------


def test_the_winner_and_why_come_first_over_the_map_at_the_end_and_the_curve_has_every_turn(end: Desk) -> None:
    assert isinstance(end.app.scene, EndScene)
    assert end.screen.blocks[0] == scr.Laurels("black", "Bo wins!", "Bo has 6 points, Ana has 4 points.")
    assert {area.name: area.earns for area in end.picture.areas if area.earns}["c4"] == "black"
    found, positions = end.blocks(scr.Curve)[0], played()[1]
    red, black = found.sides
    assert (red.label, black.label) == ("Ana", "Bo")
    turns = Course(end.table.game_log).turns
    assert len(red.values) == len(black.values) == len(turns) + 1
    for side in found.sides:
        assert list(side.values) == [score(positions[n]).vp[side.faction] for n in (0, *(turn.last for turn in turns))]
    assert (red.values[-1], black.values[-1]) == (4, 6)


def test_rounds_and_conflicts_are_marked(end: Desk) -> None:
    found, turns = end.blocks(scr.Curve)[0], Course(end.table.game_log).turns
    assert [name for _start, name in found.rounds] == ["1", "2", "3", "4"]
    for start, name in found.rounds:
        assert turns[start].round == int(name)
        assert not start or turns[start - 1].round == int(name) - 1
    assert found.fights
    for n, turn in enumerate(turns, 1):
        assert (n in found.fights) == bool(turn.fought)
    contested = {
        area.name for position in played()[1] for area in position.board.areas if len(position.units_in(area.name)) > 1
    }
    assert contested <= {turn.fought for turn in turns}


def test_what_decided_it_is_told_and_leads_there(end: Desk) -> None:
    found = end.blocks(scr.Curve)[0]
    assert found.turning is not None
    red, black = (side.values for side in found.sides)
    assert black[found.turning - 1] <= red[found.turning - 1]
    assert all(points > other for points, other in zip(black[found.turning :], red[found.turning :], strict=True))
    slip = end.blocks(scr.Slip)[0]
    assert slip.title == "Turning point: Round 4"
    assert slip.text == "Bo advanced to c5 with 2 troops from b5 and 2 troops from c4."
    assert slip.intent is not None
    end.touch(slip.intent)
    assert isinstance(end.app.scene, MomentScene)
    assert isinstance(end.touch(Intent("back")).app.scene, EndScene)


@pytest.mark.parametrize(
    ("leads", "turn"),
    [
        ([0, 2, -1, 1, 3], 3),  # ahead, behind, and ahead for good
        ([0, 1, 4, 5], 2),  # never behind: the largest gain
        ([0, -3, -1, -1], 2),  # won from behind, by other things than points
        ([0, 0, 0], None),
        ([0], None),
    ],
)
def test_the_turn_that_decided(leads: list[int], turn: int | None) -> None:
    assert deciding_turn(leads) == turn


def test_a_headquarters_that_falls_decides_at_once_whatever_the_points(desk_of: DeskOf) -> None:
    desk = desk_of(30)
    lost = next(seed for seed in range(40) if played(seed)[1][-1].reason == HQ_LOST)
    match = Match.start(desk.match.path.with_name("lost.jsonl"), BOARD, "red", BONUSES)
    for step in played(lost)[0]:
        match.offer(step)
    scene = end_of(desk.app.stage, match, desk.app.home)
    assert scene.course.turning_point() == len(scene.course.turns)


def test_a_game_ended_before_its_first_turn_has_no_curve(desk_of: DeskOf) -> None:
    desk = desk_of(0)
    desk.match.offer(Agreed(note="given up", other=OtherCorrections(winner="red")))
    desk.app.scene = desk.table.score()
    assert isinstance(desk.screen.blocks[0], scr.Laurels)
    assert not any(isinstance(part, scr.Slip) for part in desk.screen.blocks), "nothing that was played decided it"


def test_each_half_sees_it_from_its_own_side(end: Desk) -> None:
    app = end.app
    app.stage.settings = replace(app.stage.settings, layout="two")
    titles = {face.seat: laurels(face.screen).title for face in app.faces().faces}
    assert titles == {"red": "Bo wins!", "black": "You win!"}
    assert app.faces().middle is not None, "the map lies between them"


def test_the_figures_the_log_and_the_ways_out(end: Desk) -> None:
    assert isinstance(end.press("Score").app.scene, ScoreScene)
    assert isinstance(end.press("Back", "Replay").app.scene, LogScene)
    assert isinstance(end.press("Back").app.scene, EndScene)
    assert end.press("Back").app.scene is end.table
    end.press("Undo")
    assert end.match.position.winner is None
    assert [turn.last for turn in Course(end.table.game_log).turns][-1] == len(end.match.steps)


def test_what_was_agreed_after_the_end_is_done_again_there(end: Desk) -> None:
    assert [action.label for action in end.screen.actions][:2] == ["Undo", "Back"]
    agreed = Agreed(areas=(("d5", (("red", "troop", 1),)),), note="a stray troop")
    assert end.match.offer(agreed).legal
    end.table.refresh()
    end.press("Undo")
    if not isinstance(end.app.scene, EndScene):
        end.touch(Intent("score"))
    end.press("Redo")
    assert end.match.steps[-1] == agreed


def test_the_course_follows_what_is_taken_back_and_played_on_and_finds_moments(desk_of: DeskOf) -> None:
    desk = desk_of(30)
    course = Course(desk.table.game_log)
    before = course.turns
    desk.match.undo(9)
    assert course.turns == before[: len(course.turns)][:-1] + course.turns[-1:]
    assert course.turns == Course(desk.table.game_log).turns
    for step in played()[0][21:]:
        desk.match.offer(step)
    assert course.turns == Course(desk.table.game_log).turns
    assert course.turns[-1].last == len(played()[0])
    assert course.turns_begun(0) == course.steps_after(0) == 0
    for n, turn in enumerate(course.turns, 1):
        assert course.steps_after(n) == turn.last
        assert course.turns_begun(turn.last) == n
        assert course.turns_begun(turn.last + 1) == min(n + 1, len(course.turns))


# ---- the next game ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("label", "red"), [("Rematch", "Ana"), ("Swap sides", "Bo")])
def test_a_rematch_asks_only_for_what_chance_decides(end: Desk, label: str, red: str) -> None:
    scene = end.press(label).app.scene
    assert isinstance(scene, ChanceScene)
    assert scene.setup.board.name == end.match.board.name
    assert scene.setup.players["red"] == red
    assert isinstance(end.press("Back").app.scene, EndScene)
    end.press(label, "Flip for me", "Draw at random", "Next")
    layout = end.app.scene
    assert isinstance(layout, LayoutScene)
    assert layout.match.players["red"] == red
    Match.open(end.match.path).close()
    assert not layout.match.steps


def test_where_the_app_drew_before_it_draws_again(desk_of: DeskOf, tmp_path: Path) -> None:
    desk = desk_of(0)
    request = {**desk.match.request, "chance": {"initiative": "app", "bonuses": "app"}, "bonuses": BONUSES}
    match = Match.begin(tmp_path / "drawn.jsonl", {key: value for key, value in request.items() if key != "sum"})
    match.offer(Agreed(note="given up", other=OtherCorrections(winner="red")))
    desk.app.scene = end_of(desk.app.stage, match, desk.app.home)
    layout = desk.press("Rematch").app.scene
    assert isinstance(layout, LayoutScene)
    assert layout.match.chance == {"initiative": "app", "bonuses": "app"}
    assert layout.match.board.name == match.board.name


def ended(hand: Hand, system: str, folder: Path) -> EndScene:
    """Return the end of a game of another system that was ended by both."""
    names = {"sonae": {"maru": "Ana", "shikaku": "Bo"}, "generals": {"red": "Ana", "black": "Bo"}}
    match = begun(folder / "game.jsonl", system, names[system])
    taken(match, [OVER[system]])
    hand.app.scene = scene = end_of(hand.app.stage, match, hand.app.home)
    return scene


@pytest.mark.parametrize(("label", "first"), [("Rematch", "Ana"), ("Swap sides", "Bo")])
def test_other_games_begin_anew(hand: Hand, tmp_path: Path, label: str, first: str) -> None:
    scene = ended(hand, "sonae", tmp_path)
    laying = hand.press(label).app.scene
    assert isinstance(laying, LayingScene)
    assert laying.table.match.players["maru"] == first
    assert laying.position.scenario.name == scene.table.match.position.scenario.name
    assert not laying.table.match.steps
    (tmp_path / "cards").mkdir()
    ended(hand, "generals", tmp_path / "cards")
    table = hand.press(label).app.scene
    assert isinstance(table, DuelTable)
    assert table.match.players["red"] == first
    assert [side.deck.name for side in table.position.sides] == ["practice-cranes", "practice-wolves"]
    mover = table.people.name(table.asked_side)
    assert table.banner == f"Shuffle both decks and draw new hands. {mover} moves first."


@pytest.mark.parametrize("system", ["sonae", "generals"])
def test_the_other_systems_celebrate_too(hand: Hand, system: str) -> None:
    table = laid(hand, system, WHOLE)
    hand.app.scene = table.score()
    shown = hand.screen
    assert isinstance(shown.blocks[0], scr.Laurels)
    assert shown.blocks[0].title == "Bo wins!"
    assert shown.blocks[0].text
    (found,) = hand.blocks(scr.Curve)
    assert tuple(side.values[-1] for side in found.sides) == table.presenter.standing(table.position)
    assert found.fights
    assert isinstance(hand.press("Home").app.scene, HomeScene)


def scanned(scene: ShareScene) -> str:
    """Return what a phone reads from the screen."""
    (columns,) = (block for block in scene.show().blocks if isinstance(block, scr.Columns))
    (photo,) = (block for block in columns.right if isinstance(block, scr.Photo))
    picture = cv2.imdecode(np.frombuffer(photo.data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0]


def told(scene: ShareScene) -> dict[str, Any]:
    """Return what BG Stats is told."""
    found: dict[str, Any] = json.loads(parse_qs(urlsplit(scanned(scene)).query)["data"][0])
    return found


def share(desk: Desk) -> ShareScene:
    desk.touch(Intent("menu")).press("Score now", "Share")
    scene = desk.app.scene
    assert isinstance(scene, ShareScene)
    return scene


def test_a_finished_game_is_logged_by_one_scan(desk_of: DeskOf) -> None:
    scene = share(desk_of(None))
    assert (scene.full_text, scene.codes["text"]) == ("", scene.result.text), "all its steps are too long a text"
    play = told(scene)
    assert play["game"] == {
        "name": "General Orders: Sengoku Jidai",
        "sourceGameId": "General Orders: Sengoku Jidai",
        "highestWins": True,
        "noPoints": False,
    }
    assert play["board"] == "Rivers"
    assert [(player["name"], player["score"], player["winner"]) for player in play["players"]] == [
        ("Ana", 4, False),
        ("Bo", 6, True),
    ]


@pytest.mark.parametrize("size_px", [(800, 480), (1280, 720)])
def test_a_phone_reads_the_code_from_the_glass(
    desk_of: DeskOf, display: pygame.Surface, size_px: tuple[int, int]
) -> None:
    scene = share(desk_of(None))
    scene.codes = {kind: text + "long%20name" * 15 for kind, text in scene.codes.items()}
    for kind, text in scene.codes.items():
        scene.code = kind
        canvas = lay_out(scene.show(), size_px)
        assert faults(canvas) == []
        (photo,) = canvas.sheet.photos
        made = qr_png(text)
        assert made is not None
        assert photo.rect.w * canvas.px_per_pt / made[1] >= 3
        picture = cv2.cvtColor(pygame.surfarray.array3d(canvas.paint()).swapaxes(0, 1), cv2.COLOR_RGB2BGR)
        assert cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0] == text


def test_a_running_game_has_only_the_text_to_scan_with_all_its_steps(desk_of: DeskOf) -> None:
    scene = share(desk_of(5))
    assert scene.codes.keys() == {"text"}
    read = scanned(scene)
    assert read.startswith(scene.result.text)
    steps = read.removeprefix(scene.result.text).split("\n")
    assert steps == ["", *reversed([text for _number, text in step_lines(scene.table.game_log)]), ""]
    assert "read the game" in words(scene.show().blocks)


def test_a_code_holds_only_so_much() -> None:
    assert qr_png("a" * MOST_BYTES) is not None
    assert qr_png("a" * (MOST_BYTES + 1)) is None


def test_the_page_and_the_animation_are_made_when_asked_for_and_what_cannot_be_made_is_told(
    desk_of: DeskOf, tmp_path: Path
) -> None:
    desk, written = desk_of(None), list[Path]()

    def write(game: Path, to: Path) -> None:
        to.write_bytes(game.read_bytes())
        written.append(to)

    def refuse(game: Path, to: Path) -> None:
        raise MatchError(f"{to}: can't be written (No space left on device)")

    equip(desk.app.stage, replays={"html": write, "gif": write})
    scene = share(desk)
    for now_s, label in enumerate(("Web page", "Animated GIF"), 1):
        desk.press(label)
        scene.wait()
        desk.app.tick(float(now_s))
    assert written == [tmp_path / "shared" / f"{desk.match.path.stem}.{kind}" for kind in ("html", "gif")]
    assert all(path.name in desk.text() for path in written)
    equip(desk.app.stage, replays={"gif": refuse})
    desk.press("Animated GIF")
    scene.wait()
    desk.app.tick(3.0)
    assert "No space left on device" in desk.text()


@pytest.mark.parametrize(("system", "game"), [("sonae", "Sonae"), ("generals", "Generals Order")])
def test_the_other_systems_share_their_end(system: str, game: str, hand: Hand) -> None:
    hand.app.scene = EndScene(laid(hand, system, WHOLE))
    hand.press("Share")
    scene = hand.app.scene
    assert isinstance(scene, ShareScene)
    assert told(scene)["game"]["name"] == game
    winners = [player["name"] for player in told(scene)["players"] if player["winner"]]
    assert len(winners) == 1
    hand.press("QR code of the result")
    assert winners[0] in scanned(scene)
    assert "wins" in words(scene.show().blocks) or "wins" in scene.result.text

"""What is carried home: a code that a phone reads, a page and an animation, of every system's games."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import cv2
import numpy as np
import pygame
import pytest

from companion.core.errors import MatchError
from companion.drawing.qr_code import MOST_BYTES, qr_png
from companion.scenes.story.game_log import step_lines
from companion.scenes.table.ending import EndScene, ShareScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from companion.view.page.canvas import draw
from tests.companion.desk.desk import Desk, DeskOf
from tests.companion.equip import equip
from tests.companion.gallery.sheet_checks import faults
from tests.companion.plain_tables import WHOLE, laid
from tests.companion.touching import Hand, words


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


def writer(written: list[Path]) -> Callable[[Path, Path], None]:
    def write(game: Path, to: Path) -> None:
        to.write_bytes(game.read_bytes())
        written.append(to)

    return write


def test_a_finished_game_is_logged_by_one_scan(desk_of: DeskOf) -> None:
    scene = share(desk_of(None))
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
        canvas = draw(scene.show(), size_px)
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


def test_a_long_game_is_scanned_as_its_result_alone(desk_of: DeskOf) -> None:
    scene = share(desk_of(None))
    assert (scene.full_text, scene.codes["text"]) == ("", scene.result.text)
    assert qr_png("a" * MOST_BYTES) is not None
    assert qr_png("a" * (MOST_BYTES + 1)) is None


def test_the_page_and_the_animation_are_made_when_asked_for(desk_of: DeskOf, tmp_path: Path) -> None:
    desk, written = desk_of(None), list[Path]()
    equip(desk.app.stage, replays={"html": writer(written), "gif": writer(written)})
    scene = share(desk)
    desk.press("Web page")
    scene.wait()
    desk.app.tick(1.0)
    desk.press("Animated GIF")
    scene.wait()
    desk.app.tick(2.0)
    assert written == [tmp_path / "shared" / f"{desk.match.path.stem}.{kind}" for kind in ("html", "gif")]
    assert all(path.name in desk.text() for path in written)


def test_what_cannot_be_made_is_told(desk_of: DeskOf) -> None:
    def refuse(game: Path, to: Path) -> None:
        raise MatchError(f"{to}: can't be written (No space left on device)")

    desk = desk_of(None)
    equip(desk.app.stage, replays={"gif": refuse})
    scene = share(desk)
    desk.press("Animated GIF")
    scene.wait()
    desk.app.tick(1.0)
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

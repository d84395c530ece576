"""The QR codes are read back by a detector that isn't ours, and hold what BG Stats wants."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import cv2
import numpy as np
import pytest

from companion.drawing.qr_code import SCALE_PX, qr_png
from companion.games.sharing import LoggedPlay, LoggedPlayer, play_link

PLAY = LoggedPlay(
    "0123456789ab",
    "General Orders: Sengoku Jidai",
    "Rivers",
    1_789_000_000.0,
    (LoggedPlayer("Ana & Zoë", "Red", 12, True, True), LoggedPlayer("Bo?#%", "Black", 9, False)),
)


def scanned(text: str) -> str:
    """Return what OpenCV's detector reads from the code of a text, as a phone would from a screen."""
    code = qr_png(text)
    assert code is not None
    picture = cv2.imdecode(np.frombuffer(code[0], np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape[:2] == (SCALE_PX * code[1], SCALE_PX * code[1])
    return cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0]


def test_the_link_holds_the_play_as_bg_stats_takes_it() -> None:
    link = urlsplit(scanned(play_link(PLAY)))
    assert (link.scheme, link.netloc, link.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    told = json.loads(parse_qs(link.query)["data"][0])
    assert told["playDate"] == "2026-09-10 00:26:40"
    assert told["game"] == {
        "name": PLAY.game,
        "sourceGameId": PLAY.game,
        "highestWins": True,
        "noPoints": False,
    }
    assert [
        (player["name"], player["score"], player["winner"], player["startPlayer"]) for player in told["players"]
    ] == [
        ("Ana & Zoë", 12, True, True),
        ("Bo?#%", 9, False, False),
    ]


def test_a_game_without_points_says_so_and_gives_none() -> None:
    players = (LoggedPlayer("Ana", "Maru", None, False), LoggedPlayer("Bo", "Shikaku", None, True))
    query = urlsplit(play_link(LoggedPlay("k", "Sonae", "Maru", 0.0, players))).query
    told = json.loads(parse_qs(query)["data"][0])
    assert told["game"]["noPoints"]
    assert all("score" not in player for player in told["players"])
    assert [player["winner"] for player in told["players"]] == [False, True]


@pytest.mark.parametrize("text", ["Ana wins, 12 – 9.", "x" * 1150, "Vitória da Ana — 3 × 2 ⚑"])
def test_texts_come_back_as_they_were(text: str) -> None:
    assert scanned(text) == text


def test_what_no_phone_could_read_has_no_code() -> None:
    assert qr_png("x" * 1200) is None
    assert qr_png("x" * 5000) is None


def test_half_a_surrogate_pair_in_a_name_becomes_a_question_mark() -> None:
    players = (LoggedPlayer("Ana \ud83d", "Maru", None, False), LoggedPlayer("Bo 😀", "Shikaku", None, True))
    link = play_link(LoggedPlay("k", "Sonae", "Maru", 0.0, players))
    told = json.loads(parse_qs(urlsplit(link).query)["data"][0])
    assert [player["name"] for player in told["players"]] == ["Ana ?", "Bo 😀"]
    assert qr_png(link)
    assert qr_png("Ana \ud83d")

"""A saved game as a page and as an animation: all of it is there, it asks nothing of a network, and names stay text."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageSequence

from companion.cli import main
from companion.core.errors import MatchError
from companion.core.language import use_language
from companion.games.journal import mark_of, read_game
from companion.games.reviews import write_review
from companion.replays.animation import SIZE_PX, GifFile, write_gif
from companion.replays.page import page_of, write_page
from companion.replays.story import Story
from companion.view.kit.theme import theme
from engine.orders.score import score
from tests.companion.other_games import SYSTEMS, file_of
from tests.companion.sample_games import RECORDED
from tests.companion.sample_reviews import reviewed

BEGUN = 12
"""Lines of the recorded game that are enough where each turn is drawn as a picture."""
NASTY = '</script><b>"&amp;'


class Reader(HTMLParser):
    """Takes the data out of a page, and notes which elements and addresses it has."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.data = ""
        self._is_data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        self._is_data = ("id", "game") in attrs

    def handle_data(self, data: str) -> None:
        """Take the game."""
        if self._is_data:
            self.data += data


def read(page: str) -> tuple[Reader, dict[str, Any]]:
    """Return a page's elements and what its script is told."""
    reader = Reader()
    reader.feed(page)
    return reader, json.loads(reader.data)


def drawn(told: dict[str, Any], moment: int) -> str:
    """Return the drawing of a moment."""
    return "".join(told["shapes"][n] for n in told["moments"][moment]["n"])


@cache
def recorded_page() -> str:
    """Of the recorded game, in English."""
    return page_of(Story(RECORDED))


class TestPage:
    """The page replays the whole game by itself."""

    def test_every_sentence_of_the_log_is_told_in_its_order(self) -> None:
        story, (_reader, told) = Story(RECORDED), read(recorded_page())
        words = [moment.words for turn in story.turns() for moment in turn.moments]
        assert [moment["w"] for moment in told["moments"]] == [story.log.start_words(), *words]
        assert len(words) > 20

    def test_each_moment_shows_the_units_as_they_were(self) -> None:
        story, (_reader, told) = Story(RECORDED), read(recorded_page())
        numbers = [0, *(moment.number for turn in story.turns() for moment in turn.moments)]
        for moment, number in enumerate(numbers):
            position = story.match.positions[number]
            held = sum(bool(position.units_in(area.name)) for area in position.board.areas)
            stacks = re.findall(r'font-size="[^"]+" font-weight="700"[^>]*>(\d+)</text>', drawn(told, moment))
            assert len(stacks) >= held

    def test_it_asks_nothing_of_a_network(self) -> None:
        page = recorded_page()
        reader, told = read(page)
        assert set(reader.tags) & {"link", "iframe", "img", "form"} == set()
        assert reader.addresses == []
        assert "default-src 'none'" in page
        assert not re.search(r"(?:https?:)?//(?!www\.w3\.org)", drawn(told, 0))

    def test_what_is_drawn_the_same_is_in_it_once(self) -> None:
        page = recorded_page()
        _reader, told = read(page)
        assert len(set(told["shapes"])) == len(told["shapes"])
        assert sum(len(moment["n"]) for moment in told["moments"]) > 5 * len(told["shapes"])
        assert len(page) < 1_000_000

    def test_the_curve_follows_the_points_turn_by_turn(self) -> None:
        story, (_reader, told) = Story(RECORDED), read(recorded_page())
        last = score(story.match.position).vp
        assert [line["values"][-1] for line in told["lines"]] == [last[faction] for faction in ("red", "black")]
        places = [moment["c"] for moment in told["moments"]]
        assert places == sorted(places)
        assert places[-1] == len(told["lines"][0]["values"]) - 1

    def test_a_review_beside_the_game_brings_chances_and_turning_points(self, tmp_path: Path) -> None:
        game = tmp_path / "game.jsonl"
        game.write_bytes(RECORDED.read_bytes())
        journal = read_game(game)
        write_review(game, mark_of(journal.lines), reviewed())
        _, told = read(page_of(Story(game)))
        points, moments = told["review"]["points"], told["moments"]
        assert len(told["review"]["values"]) == 41
        assert len(points) == 3
        for point in points:
            title, played, *_rest = point["w"].split("\n")
            assert re.match(r"[123]\. Round \d · ", title)
            assert moments[point["m"]]["w"].startswith(played)
            assert moments[point["m"]]["v"] == point["t"]
        assert (moments[0]["v"], moments[-1]["v"]) == (0, 40)
        assert read(recorded_page())[1]["review"] is None

    def test_names_end_no_script(self, tmp_path: Path) -> None:
        first, *steps = RECORDED.read_bytes().splitlines(keepends=True)
        request = json.loads(first) | {"players": {"red": NASTY}}
        request.pop("sum", None)
        game = tmp_path / "game.jsonl"
        plain = [{key: value for key, value in json.loads(step).items() if key != "sum"} for step in steps]
        game.write_text("".join(json.dumps(line) + "\n" for line in (request, *plain)))
        page = page_of(Story(game))
        reader, told = read(page)
        assert reader.tags.count("script") == 2
        assert any(NASTY in moment["w"] for moment in told["moments"])

    def test_it_speaks_the_language_in_use(self) -> None:
        use_language("pt_BR")
        page = page_of(Story(RECORDED))
        assert '<html lang="pt-BR">' in page
        assert read(page)[1]["play"] != "Play"


@pytest.mark.parametrize(("rulebook", "heading"), [("sengoku", "KaiseiTokumin"), ("wwii", "Stencil")])
def test_the_page_wears_the_look_of_its_era(rulebook: str, heading: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Story(RECORDED).era == "sengoku"
    monkeypatch.setattr(Story, "era", rulebook)
    monkeypatch.setattr("companion.replays.page._font", str)
    monkeypatch.setattr("companion.replays.page._told", lambda story: {})
    page = page_of(Story(RECORDED))
    assert f"base64,{heading}" in page or f"base64,Gunbai{heading}" in page
    assert theme("light", era=rulebook).page in page


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_other_systems_are_replayed_as_well(system: str, tmp_path: Path) -> None:
    game = file_of(tmp_path, system, over=True)
    before = game.read_bytes()
    write_page(game, tmp_path / "game.html")
    write_gif(game, tmp_path / "game.gif")
    _reader, told = read((tmp_path / "game.html").read_text())
    assert told["moments"][-1]["n"]
    with Image.open(tmp_path / "game.gif") as picture:
        assert picture.size == SIZE_PX
    assert game.read_bytes() == before


def test_a_game_without_a_step_is_refused(tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    game.write_bytes(RECORDED.read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(MatchError, match="nothing to replay"):
        Story(game)


class TestCommand:
    """`gunbai replay GAME --html FILE --gif FILE`."""

    def test_it_writes_both_and_names_them(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        game, page, animation = (tmp_path / name for name in ("game.jsonl", "game.html", "game.gif"))
        game.write_bytes(b"".join(RECORDED.read_bytes().splitlines(keepends=True)[:BEGUN]))
        assert main(["replay", str(game), "--html", str(page), "--gif", str(animation)]) == 0
        assert capsys.readouterr().out.splitlines() == [str(page), str(animation)]
        assert page.read_text().startswith("<!doctype html>")
        turns = sum(1 for _turn in Story(game).turns())
        assert turns > 5
        with Image.open(animation) as picture:
            assert (picture.format, getattr(picture, "n_frames", 1)) == ("GIF", 1 + turns), "the start, and each turn"
            assert picture.info["loop"] == 0

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--html", "/nowhere/game.html"], "/nowhere/game.html"),
            (["--gif", "x.gif", "--json"], "--json"),
            (["--html", "x.html", "--language", "tlh"], "'tlh' is none of"),
        ],
    )
    def test_what_it_cannot_do_is_one_line(
        self, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["replay", str(RECORDED), *arguments]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1


def test_the_recorded_game_is_whole() -> None:
    assert read_game(RECORDED).fault is None


class TestGif:
    """The pictures of an animation, written one by one."""

    SIZE = (40, 30)

    def picture(self, at: int | None = None) -> Image.Image:
        """Grey, with a red square at this place."""
        picture = Image.new("RGB", self.SIZE, (90, 90, 90))
        if at is not None:
            picture.paste((200, 30, 30), (at, 5, at + 6, 11))
        return picture

    def written(self, pictures: Sequence[Image.Image]) -> bytes:
        """Return the bytes of a GIF file with these pictures."""
        out = io.BytesIO()
        file = GifFile(out, self.SIZE)
        for picture in pictures:
            file.add(picture, 1400)
        file.finish(6000)
        return out.getvalue()

    def test_each_picture_is_shown_as_it_was_given(self) -> None:
        given = [self.picture(), self.picture(3), self.picture(30), self.picture()]
        with Image.open(io.BytesIO(self.written(given))) as seen:
            frames = [(frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(seen)]
        assert [duration for _frame, duration in frames] == [1400, 1400, 1400, 6000]
        for (frame, _duration), picture in zip(frames, given, strict=True):
            assert ImageChops.difference(frame, picture).getbbox() is None

    def test_what_has_not_changed_is_shown_longer(self) -> None:
        with Image.open(io.BytesIO(self.written([self.picture(3)] * 3 + [self.picture(9)]))) as seen:
            assert [frame.info["duration"] for frame in ImageSequence.Iterator(seen)] == [4200, 6000]

    def test_only_one_picture_is_held(self) -> None:
        out = io.BytesIO()
        file = GifFile(out, self.SIZE)
        sizes = []
        for at in range(6):
            file.add(self.picture(at), 1400)
            sizes.append(len(out.getvalue()))
        assert sizes[1:] == sorted(set(sizes[1:]))

    def test_a_game_of_too_many_turns_is_refused_before_anything_is_drawn(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("companion.replays.animation.MOST_TURNS", 2)
        with pytest.raises(MatchError, match=r"too many turns for an animated picture \(\d+, at most 2\): make a page"):
            write_gif(RECORDED, tmp_path / "game.gif")
        assert not list(tmp_path.iterdir())

"""What is painted again after a touch makes the same picture as painting all of it from nothing."""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pygame
import pytest

from companion.app.app import App
from companion.games.match import AnyMatch, Match
from companion.view.kit import kept, lettering
from companion.view.page import canvas, marks
from companion.view.page.marks import Glow, Ground, Sprites, Words, changed_boxes, paint
from companion.view.window.panes import Layer, Painting, Shown, layer_of
from tests.companion.other_games import SYSTEMS
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.companion.scenes.test_random_touches import Monkey, game

TOUCHES = 12
ROTATIONS = {"orders": 90, "sonae": 180, "generals": 0}


def match_of(system: str) -> AnyMatch:
    """Return a game that has gone on for a while."""
    if system != "orders":
        return game(system, 1)
    match = Match.start(Path("game.jsonl"), BOARD, "red", BONUSES)
    for step in played()[0][:12]:
        match.offer(step)
    return match


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Whatever is drawn meanwhile is drawn from nothing; what was kept before is there again afterwards."""
    with (
        mock.patch.object(marks, "_SPRITES", Sprites(0)),
        mock.patch.object(kept, "_PARTS", OrderedDict()),
        mock.patch.object(marks, "_GROUNDS", Sprites(0)),
        mock.patch.object(marks, "letters", lettering.letters.__wrapped__),
        mock.patch.object(canvas, "words_of", marks.words_of.__wrapped__),
    ):
        yield


def keep_nothing_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin without what other tests have drawn, at other sizes: a part's rim may lie a grey level off there."""
    monkeypatch.setattr(marks, "_SPRITES", Sprites(marks.KEPT_BYTES))
    monkeypatch.setattr(marks, "_GROUNDS", Sprites(marks.GROUND_BYTES))
    monkeypatch.setattr(kept, "_PARTS", OrderedDict())
    lettering.letters.cache_clear()
    marks.words_of.cache_clear()


def painted_anew(monkey: Monkey) -> bytes:
    """Return the picture of what the window shows, laid out and painted from nothing."""
    window = monkey.fingers.window
    size = window.reader.upright_size()
    on = window.glass, window.glass.grain(size, len(window.app.faces().faces) > 1)
    painting = Painting(size)
    with nothing_kept():
        fresh = [Shown(shown_pane.pane, shown_pane.pane.lay_out(on)) for shown_pane in window.shown]
        painting.show(tuple(map(layer_of, fresh)), window.glass.look.edge)
    turned = pygame.transform.rotate(painting.picture, -window.reader.rotation)
    return pygame.image.tobytes(turned, "RGB")


@pytest.mark.usefixtures("app")  # for its folder
@pytest.mark.parametrize("layout", ["one", pytest.param("two", marks=pytest.mark.long)])
@pytest.mark.parametrize("system", ["orders", *SYSTEMS])
def test_after_each_touch_the_display_shows_what_painting_it_anew_would(
    system: str, layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))  # nothing of the machine's own is started
    keep_nothing_of_others(monkeypatch)
    app = App(match=match_of(system))
    rotation = ROTATIONS[system] if layout == "two" else 0
    app.stage.settings = replace(app.stage.settings, layout=layout, rotation_degrees=rotation, show_supply=True)
    monkey = Monkey(app, 5)
    shown = monkey.fingers.window.shown
    changed = 0
    for _n in range(TOUCHES):
        monkey.touch(list(monkey.targets()))
        changed += monkey.fingers.window.shown != shown
        shown = monkey.fingers.window.shown
        assert pygame.image.tobytes(monkey.fingers.window.display, "RGB") == painted_anew(monkey)
    assert changed > TOUCHES / 4


WHOLE = pygame.Rect(0, 0, 120, 80)
GROUND = Ground("", WHOLE.size, 1.0, "#102030")


def some_marks(rng: random.Random) -> list[Glow | Words]:
    """Things that lie over one another, in any order."""
    glows: list[Glow | Words] = [Glow((rng.randrange(90), rng.randrange(60), 30, 20), (), 4) for _n in range(5)]
    words = [Words((rng.randrange(70), rng.randrange(50), 40, 20), word, 16, True, "#ffcc00") for word in ("one", "2")]
    return rng.sample([*glows, *words], 7)


def picture(shown: list[Glow | Words]) -> pygame.Surface:
    surface = pygame.Surface(WHOLE.size)
    paint(surface, GROUND, shown, WHOLE)
    return surface


@pytest.mark.parametrize("seed", range(40))
def test_painting_the_changed_boxes_again_is_enough(seed: int) -> None:
    rng = random.Random(seed)
    before = some_marks(rng)
    after = [mark for mark in before if rng.random() < 0.8] + some_marks(rng)[: rng.randrange(3)]
    if rng.random() < 0.3:
        rng.shuffle(after)
    surface, boxes = picture(before), changed_boxes(before, after, WHOLE)
    for number, box in enumerate(boxes):
        assert WHOLE.contains(box)
        assert box.collidelist(boxes[number + 1 :]) < 0, "nothing is painted twice"
        paint(surface.subsurface(box), GROUND, after, box)
    assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(picture(after), "RGB")


def test_what_stays_the_same_is_not_painted() -> None:
    shown = some_marks(random.Random(1))
    assert changed_boxes(shown, list(shown), WHOLE) == []
    assert changed_boxes(shown, [*shown, Glow((200, 0, 9, 9), (), 2)], WHOLE) == [], "beside the picture"
    assert changed_boxes(shown, shown[::-1], WHOLE) == [WHOLE], "all in another order"


def test_only_a_layer_that_is_on_the_same_ground_is_not_painted_whole() -> None:
    layer, painting = Layer(WHOLE, False, GROUND, ()), Painting(WHOLE.size)
    painting.show((layer,), "#000000")
    assert painting.show((layer,), "#000000") == []
    for other in (layer._replace(turned=True), layer._replace(ground=GROUND._replace(colour="#203040"))):
        assert painting.show((other,), "#000000") == [WHOLE]
        assert painting.show((layer,), "#000000") == [WHOLE]


def test_only_so_many_pictures_are_kept_as_have_room() -> None:
    sprites, made = Sprites(3 * 400), []

    def made_of(name: str) -> pygame.Surface:
        made.append(name)
        return pygame.Surface((10, 10), pygame.SRCALPHA, 32)

    for name in ("a", "b", "c", "a", "d", "a", "b"):
        sprites.get(name, lambda name=name: made_of(name))  # type: ignore[misc]
        assert sprites.held_bytes <= 3 * 400
    assert made == ["a", "b", "c", "d", "b"], "b gave way to d, as a was in use later"

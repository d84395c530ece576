"""What is to be touched next, so that the table does what a lesson wants: found on the screen as it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion.games.tutorial import Lesson
from companion.scenes.base.counts import key_text
from companion.scenes.base.panels import Panel
from companion.scenes.orders.answers import RollPanel
from companion.scenes.orders.deploying import DeployForm
from companion.ui.screen import Block, Button, Buttons, Choice, Columns, Dice, Intent, Look, Options, Screen, Steppers
from engine.orders.steps import Deploy, Play, Roll, Step

CONFIRM = Intent("confirm")


def pointed_intent(lesson: Lesson, panel: Panel[Step], screen: Screen) -> Intent | None:
    """The first of the touches that lead on which can be touched on this screen."""
    there = set(touchable(screen))
    return next((one for one in _wanted(lesson, panel) if one in there), None)


def _wanted(lesson: Lesson, panel: Panel[Step]) -> Iterator[Intent]:
    """The touches that lead on, the most direct one first."""
    if lesson.undo:
        yield Intent("undo")
    elif lesson.asks:
        yield from _to_space(lesson.asks)
    elif isinstance(lesson.step, Play):
        yield Intent("play", f"{lesson.step.by}/{lesson.step.card}")
        yield Intent("window")
    elif isinstance(lesson.step, Roll):
        yield from _roll(lesson.step, panel)
    elif isinstance(lesson.step, Deploy):
        yield from _deploy(lesson.step, panel)
    elif lesson.step is not None:
        yield Intent("pass")


def _to_space(space: str) -> Iterator[Intent]:
    yield Intent("space", space)
    yield Intent("area", space.partition(":")[2])


def _roll(roll: Roll, panel: Panel[Step]) -> Iterator[Intent]:
    """The next face, or away with one that is wrong; then confirm."""
    entered = panel.faces if isinstance(panel, RollPanel) else []
    for n, face in enumerate(entered):
        if face != roll.dice[n]:
            yield Intent("undie", "", n)
    yield Intent("die", "", roll.dice[len(entered)]) if len(entered) < len(roll.dice) else CONFIRM


def _deploy(step: Deploy, panel: Panel[Step]) -> Iterator[Intent]:
    """To the space; there the number that is to be changed, or confirm."""
    if isinstance(panel, DeployForm) and panel.space.name == step.space:
        filled = panel.step()
        yield from _changes(_moved(step), _moved(filled)) if _moved(step) != _moved(filled) else (CONFIRM,)
    elif isinstance(panel, DeployForm):
        yield Intent("cancel")
    else:
        yield from _to_space(step.space)


def _moved(step: Deploy) -> dict[tuple[str, str], int]:
    return {(area, unit): n for area, unit, n in step.moves}


def _changes(wanted: dict[tuple[str, str], int], filled: dict[tuple[str, str], int]) -> Iterator[Intent]:
    for key in sorted({**wanted, **filled}):
        missing = wanted.get(key, 0) - filled.get(key, 0)
        if missing:
            yield Intent("count", key_text(key), 1 if missing > 0 else -1)


def fulfils(step: Step, wanted: Step) -> bool:
    """Whether a step is what the lesson wanted, however it was filled in."""
    if isinstance(step, Deploy) and isinstance(wanted, Deploy):
        return step.space == wanted.space and _moved(step) == _moved(wanted)
    return step == wanted


# ---- what is on the screen ----------------------------------------------------------------------


def touchable(screen: Screen) -> Iterator[Intent]:
    """What a finger can mean on this screen, but for what the view brings itself."""
    yield from (one.intent for one in screen.actions)
    yield from _in_blocks(screen.blocks)
    if screen.map is not None:
        yield from (Intent("area", one.name) for one in screen.map.areas)


def _in_blocks(blocks: Iterable[Block]) -> Iterator[Intent]:
    for block in blocks:
        if isinstance(block, Buttons | Choice):
            yield from (one.intent for one in block.buttons)
        elif isinstance(block, Options):
            yield from (one.intent for one in block.options)
        elif isinstance(block, Columns):
            yield from _in_blocks((*block.left, *block.right))
        elif isinstance(block, Steppers):
            yield from (Intent(one.verb, one.what, by) for one in block.steppers for by in (-1, 1))
        elif isinstance(block, Dice) and block.entering:
            yield from (Intent("die", "", face) for face in range(3))
            yield from (Intent("undie", "", n) for n, face in enumerate(block.faces) if face is not None)


def screen_with_light(screen: Screen, intent: Intent | None) -> Screen:
    """The screen with the one thing that is to be touched bright, and no other."""
    picture = screen.map
    if picture is not None and intent is not None and intent.verb == "area":
        areas = tuple(replace(one, mark="target") if one.name == intent.what else one for one in picture.areas)
        picture = replace(picture, areas=areas)
    blocks = tuple(_block_lit(block, intent) for block in screen.blocks)
    return replace(screen, blocks=blocks, actions=_lit(screen.actions, intent), map=picture)


def _block_lit(block: Block, intent: Intent | None) -> Block:
    if isinstance(block, Buttons | Choice):
        return replace(block, buttons=_lit(block.buttons, intent))
    if isinstance(block, Columns):
        sides: dict[str, Any] = {
            "left": tuple(_block_lit(one, intent) for one in block.left),
            "right": tuple(_block_lit(one, intent) for one in block.right),
        }
        return replace(block, **sides)
    return block


def _lit(buttons: Sequence[Button], intent: Intent | None) -> tuple[Button, ...]:
    return tuple(replace(one, look=_look(one, intent)) for one in buttons)


def _look(button: Button, intent: Intent | None) -> Look:
    if button.intent == intent:
        return "primary"
    return "plain" if button.look == "primary" else button.look

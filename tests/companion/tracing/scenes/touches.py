"""What the tests of tracing touch."""

from __future__ import annotations

from companion.scenes.base.stage import Scene
from companion.scenes.trace.begin import (
    GridScene,
)
from companion.scenes.trace.trace import TraceScene
from companion.tracing.hexes import Point
from companion.tracing.work import TraceWork
from companion.ui.screen import Button, Buttons, Choice, Intent, Screen
from tests.companion.tracing.photos import GRID, RIVERS, cells_of, rivers


class Home:
    """Where a scene comes from."""

    def show(self) -> Screen:
        return Screen()

    def touch(self, _intent: Intent) -> Scene | None:
        return None


HOME = Home()


def all_buttons(screen: Screen) -> list[Button]:
    rows = [block.buttons for block in screen.blocks if isinstance(block, (Buttons, Choice))]
    return [button for row in (*rows, screen.actions) for button in row]


def press(scene: Scene, label: str) -> Scene:
    """Touch the button of that name; the scene that follows."""
    found = next(button for button in all_buttons(scene.show()) if button.label.startswith(label))
    return scene.touch(found.intent) or scene


def tap(scene: TraceScene | GridScene, at_mm: Point) -> None:
    at = scene.window.place(at_mm)
    scene.touch(Intent("trace", at=at))
    scene.touch(Intent("trace", n=2, at=at))


def middle(area: str) -> Point:
    return GRID.centre(cells_of(RIVERS.area(area))[0])


def page(name: str, work: TraceWork | None = None) -> TraceScene:
    tracing = TraceScene(work or rivers(), HOME, HOME)
    tracing._go(name)
    return tracing

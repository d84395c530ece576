"""Rivers taken down by touches alone, from nothing but its hexes."""

from __future__ import annotations

from companion.tracing.draft import Draft, History
from companion.tracing.edits import Tool, ToolTouch, apply
from companion.tracing.hexes import Cell, regular
from companion.tracing.symmetry import Symmetry, symmetry_of
from engine.orders.board import Area, Board, load_board

GRID = regular((51.75, 68.66), 26.22)
RIVERS = load_board("sengoku-rivers")


def begun(board: Board = RIVERS) -> Draft:
    return Draft(name="sengoku-rivers-ana", mode=board.mode.name, size_mm=board.size_mm, grid=GRID)


def cells_of(area: Area) -> list[Cell]:
    return [GRID.cell_at(centre) for centre in area.centres_mm]


class Tracer:
    """Touches, one after the other."""

    def __init__(self, draft: Draft) -> None:
        self.history = History(draft)

    @property
    def draft(self) -> Draft:
        return self.history.draft

    def touch(self, tool: Tool, home: Cell | str, beside: Cell | None = None, at: tuple[float, float] = (0, 0)) -> None:
        self.history.put(apply(self.draft, ToolTouch(tool, home, beside, at), self.symmetry()))

    def symmetry(self) -> Symmetry | None:
        return symmetry_of(self.draft, RIVERS.factions)

    def areas(self, areas: list[Area]) -> None:
        for area in areas:
            first, *others = cells_of(area)
            self.touch(Tool("kind", area.kind), first)
            for before, cell in zip([first, *others], others, strict=False):
                patch = self.draft.patch_at(before)
                if patch is None or cell not in patch.cells:
                    self.touch(Tool("join"), before, cell)

    def prints(self, areas: list[Area]) -> None:
        """Enter what is printed on these areas."""
        for area in areas:
            cell = cells_of(area)[0]
            patch = self.draft.patch_at(cell)
            if area.vp and patch is not None and patch.vp != area.vp:
                self.touch(Tool("points", n=area.vp), cell)
            if area.hq:
                self.touch(Tool("hq", faction=area.hq), cell)
            if area.slot:
                self.touch(Tool("slot", area.slot), cell)
            for faction, unit, n in area.start:
                self.touch(Tool("start", unit, faction, n), cell)

    def piers(self, areas: list[Area]) -> None:
        for area in areas:
            for port in area.ports:
                if port not in self.missing(area):
                    continue
                near = next(c for c in cells_of(RIVERS.area(port)) if c in _near(cells_of(area)))
                self.touch(Tool("pier"), cells_of(area)[0], near)

    def missing(self, area: Area) -> list[str]:
        """Return the waters that the area's piers lead to, as far as none was set there as a twin's."""
        patch = self.draft.patch_at(cells_of(area)[0])
        piers = patch.piers if patch else ()
        return [port for port in area.ports if not {*cells_of(RIVERS.area(port))} & {*piers}]

    def spaces(self, names: list[str]) -> None:
        for space in RIVERS.spaces:
            known = {(spot.action, spot.on) for spot in self.draft.spots}
            if space.at_mm is None or (space.action.name, GRID.cell_at(space.at_mm)) in known:
                continue
            if space.area in names:
                self.touch(Tool("space", space.action.name), GRID.cell_at(space.at_mm), at=space.at_mm)


def _near(cells: list[Cell]) -> set[Cell]:
    from companion.tracing.hexes import neighbours

    return {near for cell in cells for near in neighbours(True, cell)}


def traced() -> Tracer:
    """Trace the whole of Rivers, touch by touch, without its symmetry."""
    tracer, areas = Tracer(begun()), list(RIVERS.areas)
    tracer.areas(areas)
    tracer.prints(areas)
    tracer.piers(areas)
    tracer.spaces([area.name for area in areas])
    return tracer

"""How well a board is traced from a photo, and how many touches it takes: a simulated owner against the known board.

    python -m benchmarks.eye.tracing /path/to/vision-bench            # dev-1 to dev-4: known corners, Rivers
    python -m benchmarks.eye.tracing --drawn 901 902 903              # boards of no game, drawn and photographed here

The owner touches the four corners (with the error that the table's file has, or a finger's), takes the proposal, and
then corrects what differs from the board in front of him, touch by touch, through the draft that the app works on:
hexes on or off the map, borders, kinds, spaces. Then he sets what no eye can know (points, headquarters, slots, ports,
starting units), with the board's symmetry where it has one. Choosing another tool counts as a touch.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.eye.traced_tables import photograph
from companion.perception.adapters import plan_of
from companion.tracing import eye
from companion.tracing.draft import NOTHING, Draft, History, Patch, shape_of
from companion.tracing.edits import Tool, ToolTouch, apply
from companion.tracing.eye import BoardProposal, with_areas, with_spaces
from companion.tracing.hexes import Cell, neighbours
from companion.tracing.symmetry import symmetry_of
from engine.orders.board import Area, Board, load_board
from engine.orders.mode import load_mode
from vision.geometry import Picture
from vision.plan import BoardPlan

RIVERS = "sengoku-rivers"
RASTER = 8
FINGER_MM = 0.7
CORNERS = 4


@dataclass(frozen=True)
class Case:
    """A photo with its corners, and what is truly printed."""

    name: str
    picture_bgr: Picture
    corners_px: Sequence[Sequence[float]]
    plan: BoardPlan
    board: Board | None


@dataclass
class Owner:
    """A simulated owner: touches through the draft's own edits, counted, with the tools that were taken up."""

    history: History
    mode: str
    at_hand: Tool | None = None
    tools: int = 0

    @property
    def draft(self) -> Draft:
        """The board as the touches have made it so far."""
        return self.history.draft

    def touch(
        self, tool: Tool, home: Cell, neighbour: Cell | None = None, at: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """Touch the draft with a tool, and count the touch; taking up another tool counts as one more."""
        if tool != self.at_hand:
            self.at_hand, self.tools = tool, self.tools + 1
        symmetry = symmetry_of(self.draft, load_mode(self.mode).factions)
        self.history.put(apply(self.draft, ToolTouch(tool, home, neighbour, at), symmetry))

    @property
    def spent(self) -> int:
        """The touches so far, each change of tools counted as one."""
        return self.history.touches + self.tools


@dataclass(frozen=True)
class Result:
    """What came out: IoU of each area, neighbours right, spaces' distances, touches by part."""

    name: str
    proposed: str
    overlaps: dict[str, float]
    neighbours_right: int
    spaces_mm: dict[str, float]
    touches: dict[str, int]


def owned_cells(draft: Draft, plan: BoardPlan) -> dict[str, tuple[Cell, ...]]:
    """Return the cells of the found grid that belong to each true area."""
    assert draft.grid
    return {area.name: tuple(draft.grid.cell_at(at) for at in area.centres_mm) for area in plan.areas}


def trace_case(case: Case) -> Result:
    """Go the whole way from a photo to a board, as a simulated owner."""
    height, width = case.picture_bgr.shape[:2]
    corners = [(x / width, y / height) for x, y in case.corners_px]
    seen = eye.find_grid_on(eye.straighten(case.picture_bgr, corners, case.plan.size_mm))
    if seen.grid is None or seen.found is None:
        raise SystemExit(f"{case.name}: no grid found")
    proposal = eye.make_proposal(seen)
    owner = Owner(History(Draft(f"{RIVERS}-x", RIVERS, size_mm=case.plan.size_mm)), RIVERS)
    draft = with_spaces(with_areas(owner.draft, seen.grid, proposal), proposal.spaces, load_mode(RIVERS))
    owner.history.draft = draft
    proposal_text = _proposal_text(draft, case.plan, seen.found.confidence)
    touches = {"corners": CORNERS}
    truth = owned_cells(draft, case.plan)
    _swap(owner, case, truth, proposal)
    touches["swap"] = owner.spent
    for part, work in (("areas", _areas), ("kinds", _kinds), ("spaces", _spaces), ("print", _prints)):
        before = owner.spent
        work(owner, case, truth, proposal)
        touches[part] = owner.spent - before
    return _result(case, owner.draft, truth, proposal_text, touches)


def _swap(owner: Owner, case: Case, truth: dict[str, tuple[Cell, ...]], proposal: BoardProposal) -> None:
    """One touch changes land and water over where most were taken for the other; spaces are guessed anew."""
    wrong = [owner.draft.patch_at(truth[area.name][0]) for area in case.plan.areas]
    pairs = [(patch.kind, area.kind) for patch, area in zip(wrong, case.plan.areas, strict=True) if patch]
    if 2 * sum(taken != other for taken, other in pairs) > len(pairs):
        other = {"land": "water", "water": "land"}
        patches = tuple(replace(patch, kind=other[patch.kind]) for patch in owner.draft.patches)
        swapped = replace(owner.draft, patches=patches, spots=())
        owner.history.put(with_spaces(swapped, proposal.spaces, load_mode(RIVERS)))


def _proposal_text(draft: Draft, plan: BoardPlan, confidence: float) -> str:
    """Return how right the proposal was before any touch."""
    truth = {frozenset(cells): name for name, cells in owned_cells(draft, plan).items()}
    kinds = {area.name: area.kind for area in plan.areas}
    right = [patch for patch in draft.patches if frozenset(patch.cells) in truth]
    kind = sum(patch.kind == kinds[truth[frozenset(patch.cells)]] for patch in right)
    return f"grid {confidence:.2f}, areas {len(right)}/{len(plan.areas)}, of these kinds {kind}, spaces {_right(draft, plan)}/{len(plan.spaces)}"  # noqa: E501


def _right(draft: Draft, plan: BoardPlan) -> int:
    return sum(any(spot.action == _action(space.name) and _far(spot.at_mm, space.at_mm) < 4 for spot in draft.spots)
               for space in plan.spaces)  # fmt: skip


def _action(space: str) -> str:
    return space.partition(":")[0]


def _far(point: Sequence[float], other: Sequence[float]) -> float:
    return float(np.hypot(point[0] - other[0], point[1] - other[1]))


def _areas(owner: Owner, case: Case, truth: dict[str, tuple[Cell, ...]], _: BoardProposal) -> None:
    kinds = {area.name: area.kind for area in case.plan.areas}
    wanted = {cell: name for name, cells in truth.items() for cell in cells}
    for cell in [cell for patch in owner.draft.patches for cell in patch.cells if cell not in wanted]:
        if owner.draft.patch_at(cell):
            owner.touch(Tool("kind", NOTHING), cell)
    for cell, name in wanted.items():
        if owner.draft.patch_at(cell) is None:
            owner.touch(Tool("kind", kinds[name]), cell)
    for cell, neighbour in _pairs(owner.draft, wanted):
        if wanted[cell] != wanted[neighbour] and _patch(owner, cell) is _patch(owner, neighbour):
            owner.touch(Tool("join"), cell, neighbour)
    for cell, neighbour in _pairs(owner.draft, wanted):
        if wanted[cell] == wanted[neighbour] and _patch(owner, cell) is not _patch(owner, neighbour):
            owner.touch(Tool("join"), cell, neighbour)


def _pairs(draft: Draft, wanted: Iterable[Cell]) -> list[tuple[Cell, Cell]]:
    assert draft.grid
    cells = sorted(set(wanted))
    return [(cell, other) for cell in cells for other in neighbours(draft.grid.flat, cell)
            if other in cells and cell < other]  # fmt: skip


def _patch(owner: Owner, cell: Cell) -> Patch:
    patch = owner.draft.patch_at(cell)
    assert patch is not None
    return patch


def _kinds(owner: Owner, case: Case, truth: dict[str, tuple[Cell, ...]], _: BoardProposal) -> None:
    for kind in ("land", "water"):
        for area in case.plan.areas:
            if area.kind == kind and _patch(owner, truth[area.name][0]).kind != kind:
                owner.touch(Tool("kind", kind), truth[area.name][0])


def _spaces(owner: Owner, case: Case, truth: dict[str, tuple[Cell, ...]], proposal: BoardProposal) -> None:
    """Wrong ones put right and missing ones set; a touch lands beside the place, and snaps to what was seen."""
    assert owner.draft.grid
    rng = np.random.default_rng(5)
    for space in sorted(case.plan.spaces, key=lambda space: _action(space.name)):
        cell = owner.draft.grid.cell_at(space.at_mm)
        cell = cell if cell in truth[space.area] else truth[space.area][0]
        here = [spot for spot in owner.draft.spots_on(cell) if spot.action == _action(space.name)]
        if not any(_far(spot.at_mm, space.at_mm) < 4 for spot in here):
            at = _snap(np.array(space.at_mm) + rng.normal(0, FINGER_MM, 2), proposal)
            owner.touch(Tool("space", _action(space.name)), cell, at=at)
    for spot in owner.draft.spots:
        if not any(_action(s.name) == spot.action and _far(s.at_mm, spot.at_mm) < 6 for s in case.plan.spaces):
            assert not isinstance(spot.on, str)
            owner.touch(Tool("space", spot.action), spot.on, at=spot.at_mm)


def _snap(at: np.ndarray, proposal: BoardProposal) -> tuple[float, float]:
    place = (float(at[0]), float(at[1]))
    near = [(_far(space.at_mm, place), space.at_mm) for space in proposal.spaces]
    distance, printed = min(near, default=(9.0, place))
    return printed if distance < 5.0 else place


def _prints(owner: Owner, case: Case, truth: dict[str, tuple[Cell, ...]], _: BoardProposal) -> None:
    """Enter what is printed on the areas, the same tool as long as possible, mirrored by the draft."""
    if case.board is None:
        return
    owner.history.put(replace(owner.draft, symmetry="mirror"))
    areas = case.board.areas
    for tool, area in _wanted_prints(areas):
        cell = truth[area.name][0]
        patch = _patch(owner, cell)
        held = {"points": patch.vp == area.vp, "hq": patch.hq == area.hq, "slot": patch.slot == area.slot,
                "start": (tool.faction, tool.what, tool.n) in patch.start}  # fmt: skip
        if not held[tool.verb]:
            owner.touch(tool, cell)
    for area in areas:
        for port in area.ports:
            near = [(cell, c) for cell in truth[area.name] for c in truth[port] if c in neighbours(True, cell)]
            piers = _patch(owner, truth[area.name][0]).piers
            if near and not {*truth[port]} & {*piers}:
                owner.touch(Tool("pier"), *near[0])


def _wanted_prints(areas: Sequence[Area]) -> list[tuple[Tool, Area]]:
    wanted = [(Tool("hq", faction=area.hq), area) for area in areas if area.hq]
    wanted += [(Tool("points", n=area.vp), area) for area in areas if area.vp]
    wanted += [(Tool("slot", area.slot), area) for area in areas if area.slot]
    wanted += [(Tool("start", unit, faction, n), area) for area in areas for faction, unit, n in area.start]
    return sorted(wanted, key=lambda pair: (pair[0].verb, pair[0].what, pair[0].n, pair[0].faction))


def _result(
    case: Case, draft: Draft, truth: dict[str, tuple[Cell, ...]], proposal_text: str, touches: dict[str, int]
) -> Result:
    shape = shape_of(draft)
    names = {name: shape.name_of(cells[0]) for name, cells in truth.items()}
    back = {traced_name: name for name, traced_name in names.items()}
    overlaps = {area.name: overlap(shape.outline(names[area.name]), area.polygon_mm) for area in case.plan.areas}
    near = _true_neighbours(case)
    right = sum({back.get(other, "?") for other in shape.near[names[name]]} == near[name] for name in names)
    far = {}
    for space in case.plan.spaces:
        spots = [spot for spot in draft.spots_on(truth[space.area][0]) if spot.action == _action(space.name)]
        far[space.name] = min((_far(spot.at_mm, space.at_mm) for spot in spots), default=99.0)
    return Result(case.name, proposal_text, overlaps, right, far, touches)


def _true_neighbours(case: Case) -> dict[str, set[str]]:
    if case.board is not None:
        return {area.name: set(area.adjacent) for area in case.board.areas}
    side = min(
        _far(a, b) for a, b in zip(case.plan.areas[0].polygon_mm, case.plan.areas[0].polygon_mm[1:], strict=False)
    )
    near: dict[str, set[str]] = {area.name: set() for area in case.plan.areas}
    for area in case.plan.areas:
        for other in case.plan.areas:
            gaps = [_far(a, b) for a in area.centres_mm for b in other.centres_mm]
            if area is not other and min(gaps) < 1.8 * side:
                near[area.name].add(other.name)
    return near


def overlap(outline: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    """Return the intersection over union of two outlines in mm, by a fine raster."""
    both = np.concatenate([np.asarray(outline, float), np.asarray(other, float)])
    low = both.min(axis=0) - 2
    wide, high = np.ceil((both.max(axis=0) + 2 - low) * RASTER).astype(int)
    masks = []
    for ring in (outline, other):
        mask = np.zeros((high, wide), np.uint8)
        cv2.fillPoly(mask, [np.round((np.asarray(ring, float) - low) * RASTER * 16).astype(np.int32)], 1, shift=4)
        masks.append(mask > 0)
    return float((masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum())


def bench_case(folder: Path) -> Case:
    """Load a table of the benchmark: its reference photo, with the corners as its file has them."""
    board = load_board(RIVERS)
    head = json.loads((folder / "table.json").read_text())
    picture = cv2.imread(str(folder / "reference.jpg"))
    if picture is None:
        raise SystemExit(f"{folder}: no reference.jpg")
    return Case(folder.name, np.asarray(picture, np.uint8), head["corners_px"], plan_of(board), board)


def drawn_case(seed: int) -> Case:
    """Draw and photograph a board of no game; return its photo with what is truly printed."""
    sight = photograph(seed)
    return Case(f"drawn {seed}", sight.picture_bgr, sight.corners_px.tolist(), sight.plan, None)


def report(result: Result) -> str:
    """Return the result's figures as a text."""
    overlaps, far = list(result.overlaps.values()), list(result.spaces_mm.values())
    return (
        f"{result.name:10} proposed: {result.proposed}\n"
        f"{'':10} traced: IoU least {min(overlaps):.3f}, mean {np.mean(overlaps):.3f}, "
        f"{sum(value >= 0.95 for value in overlaps)}/{len(overlaps)} at 0.95; "
        f"neighbours {result.neighbours_right}/{len(overlaps)}; "
        f"spaces within 2 mm {sum(value <= 2 for value in far)}/{len(far)}, worst {max(far):.2f} mm\n"
        f"{'':10} touches: {sum(result.touches.values())} = "
        + " + ".join(f"{n} {part}" for part, n in result.touches.items() if n)
    )


def main() -> None:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(description="how well a board is traced from a photo, and in how many touches")
    parser.add_argument("bench", nargs="?", type=Path)
    parser.add_argument("--drawn", nargs="*", type=int, default=[])
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    folders = sorted(chosen.bench.glob("dev-*")) if chosen.bench else []
    if not folders and not chosen.drawn:
        parser.error("no dev-* in a folder and none --drawn: nothing to trace")
    for case in [*map(bench_case, folders), *map(drawn_case, chosen.drawn)]:
        print(report(trace_case(case)), flush=True)


if __name__ == "__main__":
    main()

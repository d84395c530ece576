"""The small simulated table as a folder with its truth, as `gunbai bench` reads it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from tests.vision.tables import four_areas, pictures
from vision.plan import plan_text


def write_table(folder: Path) -> Path:
    """Write the empty board, the start and one frame into a folder, with the board's plan beside them."""
    shots = pictures()
    named = {"reference": shots.reference, "start": shots.start, "frame-01": shots.later}
    folder.mkdir(parents=True)
    for name, shot in named.items():
        cv2.imwrite(str(folder / f"{name}.jpg"), shot.picture)
    (folder / "plan.json").write_text(plan_text(four_areas()))
    (folder / "table.json").write_text(json.dumps({"corners_px": shots.reference.truth["corners_px"]}))
    (folder / "truth.json").write_text(json.dumps({name: named[name].truth for name in ("start", "frame-01")}))
    return folder

"""What the eye reads: pictures, tables, what was learned of one, and what the camera's process and service are told."""

from __future__ import annotations

import io
import json
import math
import os
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.core.errors import InputError
from companion.core.storage import games_dir
from companion.games.match import Match
from companion.perception.camera_watch import CameraWatch
from companion.perception.learning import Learner, experience_path
from companion.terminal.bench import frames_of, object_in
from companion.view.page import marks
from intake.jpeg import is_jpeg
from intake.pictures import MOST_SIDE_PX
from tests.companion.perception.seeing import reading_of
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.fuzz.images import as_picture
from tests.fuzz.packs import as_zip, undated
from tests.fuzz.spoil import Stock, as_bytes, as_text, either, then
from tests.fuzz.target import Target, Work, hold, hold_again, hold_same, named
from tests.fuzz.trees import as_json, as_json_lines
from tests.vision.tables import four_areas
from vision.dice.reader import DiceReading, Die
from vision.errors import CameraError, PictureError, TableError, VisionError
from vision.frame import SMALLEST_PX, jpeg_of, load_picture, picture_of
from vision.geometry import Picture
from vision.live.camera_service import Order, order_data, order_of
from vision.live.messages import (
    FILE_BYTES,
    HEAD,
    HEAD_BYTES,
    SLOTS,
    Message,
    SharedPicture,
    read_message,
    reading_message,
    shared_file,
    write_message,
)
from vision.live.pi_camera import picture_of as unfolded
from vision.live.rpicam import JpegStream
from vision.plan import load_plan, plan_from_data, plan_text
from vision.reading.count import CountBelief
from vision.reading.experience import Experience, experience_of, experience_text
from vision.reading.read import Reading
from vision.scoring import figures, score_frame
from vision.table import Table, load_today, mark_of_table, today_path, with_support

PICTURES = (
    *(
        "vision.frame",
        "vision.frame",
        "companion.perception.table_file",
        "companion.terminal.eye",
        "companion.commands.eye",
        "companion.terminal.tracing",
    ),
    *("companion.evidence.recorder", "companion.scenes.sonae.questions"),
)
"""Who reads pictures, and takes all of them through the first of these."""


def photo(shade: int = 90) -> Picture:
    """Return a picture just large enough to be read, which packs into few bytes."""
    picture = np.full((SMALLEST_PX[1], SMALLEST_PX[0], 3), shade, np.uint8)
    picture[100:300, 200:400] = (10, 200, shade)
    return picture


def encoded(form: str, *options: int) -> bytes:
    """Return the same picture as a file of a kind such as ".png"."""
    return bytes(cv2.imencode(form, photo(), options)[1])


def pictures() -> tuple[bytes, ...]:
    """Return a picture file of each kind that can be read."""
    progressive = encoded(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 4)
    lossless = encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 101)
    return (encoded(".png"), encoded(".jpg"), progressive, encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 40), lossless)


def _picture(folder: Path) -> Work:
    path = folder / "photo.jpg"

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        picture = load_picture(path)
        height, width, colours = picture.shape
        hold(colours == 3 and max(height, width) <= MOST_SIDE_PX, "a colour picture of a size that can be worked with")
        if len(data) % 3 == 0:
            hold(np.array_equal(picture_of(data, "photo.jpg"), picture), "the same picture from memory")
        return True

    return Work(pictures(), read)


SHOWN_PX = (64, 48)


def _photo(folder: Path) -> Work:
    """Prepare to check a picture on the screen: nothing is shown if the data is no picture."""

    def read(data: bytes) -> bool:
        shown = marks._scaled.__wrapped__(data, SHOWN_PX)
        hold(shown is None or shown.get_size() == SHOWN_PX, "a picture of the size that is asked for")
        return shown is not None

    return Work((encoded(".png"), encoded(".jpg")), read)


# ---- tables -----------------------------------------------------------------------------------

CORNERS = ((20.0, 20.0), (620.0, 22.0), (618.0, 460.0), (24.0, 458.0))


def table_file(path: Path) -> Path:
    """Write a small table as the app does, but without the day."""
    Table(four_areas(), photo(), CORNERS, photo(120)).save(path)
    path.write_bytes(undated(path.read_bytes()))
    return path


def _table(folder: Path) -> Work:
    """Prepare to check that a table that is read can be used: its board has a place, and it is written as it was."""
    path = folder / "home.table"
    seeds = [table_file(path).read_bytes()]
    Table(four_areas(), photo(), CORNERS).save(path)
    seeds.append(undated(path.read_bytes()))
    with_support(Table(four_areas(), photo(), CORNERS), (("plan:1", (630.0, 30.0)), ("plan:2", (630.0, 90.0)))).save(
        path
    )
    seeds.append(undated(path.read_bytes()))

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        table = Table.load(path)
        hold(np.isfinite(table.board_from_reference).all(), "the board lies somewhere")
        hold(math.isfinite(float(table.grid.shape[0])), "the board image has a size")
        if len(data) % 5 == 0:
            table.save(folder / "again.table")
            hold_again(table.plan, lambda: Table.load(folder / "again.table").plan, "a table written and read again")
        return True

    return Work(tuple(seeds), read)


def _today(folder: Path) -> Work:
    """Prepare to check today's board of a table: a damaged file is none, and it is made anew at the next game."""
    path = table_file(folder / "home.table")
    table, mark = Table.load(path), mark_of_table(path)
    replace(table, of=mark).save(today_path(path))
    seed = undated(today_path(path).read_bytes())

    def read(data: bytes) -> bool:
        today_path(path).write_bytes(data)
        today = load_today(today_path(path), table, mark)
        hold(today is None or today.of == mark, "it belongs to this calibration")
        return today is not None

    return Work((seed,), read)


def _experience(folder: Path) -> Work:
    """Prepare to check what was learned of a table: a damaged file costs that knowledge and nothing else."""
    table = table_file(folder / "home.table")
    mark = mark_of_table(table)
    known = Experience(
        (("black", "ship"), ("red", "troop")),
        (1.1, 0.2, -0.3),
        ((16.0, 0.0, 0.0), (0.0, 4.5, 0.1), (0.0, 0.1, 5.0)),
        3,
        {"a1": {"red": {"troop": 2}}},
    )
    seeds = [json.dumps({"table": mark, "experience": text}) for text in map(experience_text, (known, Experience()))]
    belief = {"a1": CountBelief((((("red", "troop", 2),), 0.7), ((("red", "troop", 1),), 0.3)))}

    def read(data: bytes) -> bool:
        experience_path(table).write_bytes(data)
        learner = Learner(table)
        chances = [chance for _combo, chance in learner.experience.apply_to(belief)["a1"].options]
        hold(abs(sum(chances) - 1) < 0.01 and min(chances) >= 0, f"probabilities stay such: {chances}")
        known = learner.experience
        hold_again(known, lambda: experience_of(experience_text(known)), "experience written and read again")
        return learner.fault is None

    return Work(tuple(seed.encode() for seed in seeds), read)


def _nested_json(data: bytes, rng: Any, stock: Stock) -> bytes:
    """Return JSON text nested in JSON text, either of them spoiled."""
    try:
        outer = json.loads(data)
        inner = as_json(outer["experience"].encode(), rng, Stock([outer["experience"].encode()]))
        return json.dumps({**outer, "experience": inner.decode("utf-8", "replace")}).encode()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return as_json(data, rng, stock)


def _plan(folder: Path) -> Work:
    """Prepare to check a board's plan in a file of its own."""
    path = folder / "plan.json"

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        plan = load_plan(path)
        hold_again(plan, lambda: plan_from_data(json.loads(plan_text(plan))), "a plan written and read again")
        return True

    return Work((plan_text(four_areas()).encode(),), read)


def _truth(folder: Path) -> Work:
    """Prepare to check the truth of a folder's pictures: every picture lies in it, every count fits the board."""
    plan, path = four_areas(), folder / "truth.json"
    (folder / "frame-01.jpg").write_bytes(b"")
    stood = {"a1": {"red": {"troop": 2}}, "b2": {"black": {"ship": 1}}}
    frame = {"units": stood, "commanders": {"advance:a1": "red"}, "occluded": ["b1"], "corners_px": CORNERS}
    seeds = (json.dumps({"frame-01": frame}), json.dumps({"start": {"units": {}}, "frame-01": {"units": stood}}))

    def read(data: bytes) -> bool:
        path.write_bytes(data)
        for frame in frames_of(folder, plan, object_in(path)):
            hold(isinstance(frame.picture, Path) and frame.picture.parent == folder, "a picture of this folder")
            figures(score_frame(Reading({}, {}, {}, (), 1.0), frame.truth, plan, frame.name))
        return True

    return Work(tuple(map(str.encode, seeds)), read)


# ---- what the camera's process tells ----------------------------------------------------------


class Nowhere:
    """The way to a camera that nobody has."""

    pid = None
    progress_s = None

    def latest(self) -> Picture | None:
        return None

    def close(self) -> None:
        pass


def _stream(*messages: Message) -> bytes:
    out = io.BytesIO()
    for message in messages:
        write_message(out, message)
    return out.getvalue()


def _fitting(data: bytes) -> bytes:
    """Return a message whose head gives its real lengths; the JSON ends with the last bracket before the pictures."""
    end = data.rfind(b"}", 0, 60_000) + 1
    return HEAD.pack(max(0, end - HEAD.size), len(data) - end) + data[HEAD.size :] if end > HEAD.size else data


def _messages(folder: Path) -> Work:
    """Messages of the camera's process: one that makes no sense ends the listening, and only by the eye's own error."""
    match = Match.start(games_dir() / "seen.jsonl", BOARD, "red", BONUSES)
    seen = reading_of(played()[1][0], doubts={"c4": (((("red", "troop", 1),), 0.6), ((), 0.4))})
    dice = DiceReading((Die((-12.5, 40.0), 2, 0.97),), ((3.0, 4.0),), True, 12.0)
    small = replace(seen, board_image=np.zeros((4, 5, 3), np.uint8))
    seeds = (
        _stream(Message({"told": "state", "state": "moving", "fault": ""})),
        _stream(Message({"told": "nudge", "mm": 2.0, "deg": -0.5}), Message({"told": "service", "pid": 12})),
        _stream(
            Message({"told": "dice", "dice": {"dice": [[[1.0, 2.0], 3, 0.9]], "unreadable": [], "seen": True, "ms": 1}})
        ),
        _stream(reading_message(small, b"\xff\xd8jpeg", dice)),
        _stream(reading_message(seen, b"", None)),
    )

    def read(data: bytes) -> bool:
        camera, source, known = CameraWatch("0", link=lambda *_given: Nowhere()), io.BytesIO(data), 0
        while (message := read_message(source)) is not None:
            message.told.get("state")
            camera._take(message)
            known += 1
        glimpse = camera.glimpse(match)
        if camera.nudge is not None:
            hold(math.isfinite(camera.nudge.mm) and math.isfinite(camera.nudge.deg), "a nudge is a distance")
        if glimpse.reading is not None:
            hold(all(0 <= sure <= 1 for sure in glimpse.reading.confidence.values()), "confidences are probabilities")
        return known > 0

    return Work(seeds, read)


def _orders(folder: Path) -> Work:
    """Orders to the camera's service, as an app's connection brings them."""
    orders = (Order("0", None), Order("csi:0", "/home/pi/kitchen.table"))

    def read(data: bytes) -> bool:
        order = order_of(data)
        if order is not None:
            hold_same(order_of(order_data(order)), order, "an order sent and understood again")
        return order is not None

    return Work(tuple(map(order_data, orders)), read)


def _live(folder: Path) -> Work:
    """Prepare to check the head of the shared picture memory, whatever another process writes there."""
    descriptor = shared_file()
    shown, looked = SharedPicture(descriptor), SharedPicture(os.dup(descriptor), looks=True)
    for shade in (10, 20):
        shown.show(photo(shade))
    honest = os.pread(descriptor, 8 * (1 + 2 * SLOTS), 0)
    hold(FILE_BYTES > HEAD_BYTES, "there is room behind the head")

    def read(data: bytes) -> bool:
        os.pwrite(descriptor, data[: len(honest)].ljust(len(honest), b"\0"), 0)
        looked._seen, looked._latest = -1, None
        picture = looked.latest()
        hold(picture is None or picture.shape[2] == 3, "a colour picture")
        return picture is not None

    return Work((honest,), read)


_SHAPE = struct.Struct(">HHHI")
MOST_FOLDED = 2_000_000


def _film(folder: Path) -> Work:
    """Frames of rpicam-vid, one behind the other: the same ones come out however their bytes are split."""
    frames = [jpeg_of(np.full((48, 64, 3), brightness, np.uint8)) for brightness in (40, 200)]

    def read(data: bytes) -> bool:
        whole, parted, newest = JpegStream(), JpegStream(), None
        for at in range(0, len(data), 97):
            newest = parted.feed(data[at : at + 97]) or newest
        hold_same(whole.feed(data), newest, "the newest frame")
        hold(newest is None or (is_jpeg(newest) and newest in data), "a frame is none of those that came")
        return newest is not None

    return Work((frames[0], b"".join(frames), b"talk\n" + frames[1]), read)


def _folded(folder: Path) -> Work:
    """Prepare to check a frame of the system's camera.

    Its head claims a size of planes, and how many of their bytes came.
    """
    sizes = ((640, 480, 640), (640, 480, 704), (800, 600, 832))
    seeds = [_SHAPE.pack(*shape, shape[1] * 3 // 2 * shape[2]) for shape in sizes]

    def read(data: bytes) -> bool:
        width, height, stride, length = _SHAPE.unpack(data[: _SHAPE.size].ljust(_SHAPE.size, b"\0"))
        picture = unfolded(bytes(min(length, MOST_FOLDED)), (width, height), stride)
        hold_same(picture.shape, (height, width, 3), "the picture's size")
        return True

    return Work(tuple(seeds), read)


TARGETS = named(
    (
        Target("picture", _picture, as_picture, (PictureError,), PICTURES, share=0.2),
        Target("photo", _photo, as_picture, (), ("companion.view.page.marks",), share=0.2),
        Target("plan", _plan, as_json, (TableError,), ("vision.plan",), share=0.3),
        Target("truth", _truth, as_json, (InputError,), ("companion.terminal.bench", "vision.scoring"), share=0.3),
        Target("table", _table, as_zip, (TableError,), ("vision.table",), share=0.15),
        Target("today", _today, as_zip, (), ("companion.perception.todays_board",), share=0.15),
        Target(
            "experience",
            _experience,
            _nested_json,
            (),
            ("companion.perception.learning", "vision.reading.experience"),
            share=0.5,
        ),
        Target(
            "messages",
            _messages,
            then(either((2, as_json_lines), (2, as_text), (1, as_bytes)), _fitting, 0.8),
            (VisionError,),
            ("vision.live.messages", "companion.perception.camera_watch"),
        ),
        Target("orders", _orders, as_json_lines, (), ("vision.live.camera_service",), cpu_s=5.0),
        Target("live", _live, as_bytes, (), ("vision.live.messages",)),
        Target("film", _film, as_bytes, (), ("vision.live.rpicam",), share=0.3),
        Target("folded", _folded, as_bytes, (CameraError,), ("vision.live.pi_camera",), share=0.3),
    )
)

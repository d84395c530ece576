"""A camera on a Raspberry Pi's own connector, for `vision.live.pi_camera`: a program that the system's Python runs.

picamera2 and its numpy come with the system and do not go together with ours, so nothing of ours is imported here, and
frames leave through a pipe. For each byte on standard input one frame, taken after it was asked for, is written to
standard output: HEAD, then the picture as planar YUV 4:2:0 (BT.601, limited range), half as large as BGR, which matters
with 512 MB. A fault is a HEAD of kind FAULT and a sentence. The end of standard input ends the program, whatever the
driver is doing.
"""

from __future__ import annotations

import argparse
import os
import struct
import sys
import threading
from operator import itemgetter
from typing import IO, Any

HEAD = struct.Struct(">4sHHHI")
"""Kind, width, height, stride (bytes from a row of the Y plane to the next), bytes that follow."""
FRAME, FAULT = b"GBfr", b"GBno"
BUFFERS = 2
SLOWEST_US, FASTEST_US = 125_000, 66_667
"""8 to 15 frames a second: long exposures for a dim room, and no more frames than are looked at."""
CONTINUOUS = 2
"""libcamera's AfModeEnum.Continuous."""
ENOUGH = 0.8

Size = tuple[int, int]


def write(out: IO[bytes], kind: bytes, shape: tuple[int, int, int], data: Any) -> None:
    """Write one frame or fault, `data` being bytes or an array of them."""
    view = memoryview(data).cast("B")
    out.write(HEAD.pack(kind, *shape, view.nbytes))
    out.write(view)
    out.flush()


def sensor_mode(modes: list[dict[str, Any]], size: Size) -> dict[str, Any]:
    """Choose the smallest mode with full field of view and enough pixels, else the largest; if equal, the deepest."""
    widest = max(mode["crop_limits"][2] * mode["crop_limits"][3] for mode in modes)
    whole = [mode for mode in modes if mode["crop_limits"][2] * mode["crop_limits"][3] == widest]
    whole.sort(key=lambda mode: -mode["bit_depth"])
    large = [mode for mode in whole if mode["size"][0] >= ENOUGH * size[0] and mode["size"][1] >= ENOUGH * size[1]]
    mode = min(large, key=itemgetter("size")) if large else max(whole, key=itemgetter("size"))
    return {"output_size": mode["size"], "bit_depth": mode["bit_depth"]}


def controls(known: Any) -> dict[str, Any]:
    """Return those of the camera settings for a table that lies still which `known` lists."""
    wanted = {"FrameDurationLimits": (FASTEST_US, SLOWEST_US), "AfMode": CONTINUOUS}
    return {name: value for name, value in wanted.items() if name in known}


def start_camera(number: int, size: Size) -> Any:
    """Start the camera of this number and return it; LookupError if there is none."""
    from libcamera import ColorSpace  # type: ignore[import-not-found,unused-ignore]
    from picamera2 import Picamera2  # type: ignore[import-not-found,unused-ignore]

    # USB cameras are listed behind those of the connectors
    found = [info for info in Picamera2.global_camera_info() if "/usb" not in str(info.get("Id", ""))]
    if number >= len(found):
        raise LookupError("there is no such camera")
    camera = Picamera2(number)
    size = (size[0] // 2 * 2, size[1] // 2 * 2)
    camera.configure(
        camera.create_video_configuration(
            main={"size": size, "format": "YUV420"},
            sensor=sensor_mode(camera.sensor_modes, size),
            colour_space=ColorSpace.Smpte170m(),
            controls=controls(camera.camera_controls),
            buffer_count=BUFFERS,
            queue=False,  # a frame that is asked for is taken after that
        )
    )
    camera.start()
    return camera


def count_requests(descriptor: int) -> threading.Semaphore:
    """Return a semaphore released for each byte that comes; a thread ends this process when the bytes end."""
    asked = threading.Semaphore(0)

    def listen() -> None:
        while come := os.read(descriptor, 64):
            asked.release(len(come))
        os._exit(0)

    threading.Thread(target=listen, name="asked", daemon=True).start()
    return asked


def serve(out: IO[bytes], number: int, size: Size, asked: threading.Semaphore) -> None:
    """Write a frame whenever one is asked for, for ever."""
    camera = start_camera(number, size)
    while True:
        asked.acquire()
        data, main = camera.capture_buffer("main"), camera.camera_configuration()["main"]
        write(out, FRAME, (*main["size"], main["stride"]), data)


def main() -> int:
    """Run with --camera NUMBER --size WIDTHxHEIGHT; return 1 after a fault that was reported."""
    parser = argparse.ArgumentParser(prog="picamera_frames", description=__doc__)
    parser.add_argument("--camera", type=int, required=True)
    parser.add_argument("--size", type=lambda text: tuple(map(int, text.split("x"))), required=True)
    options = parser.parse_args()
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints must not get among the frames
    os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "*:ERROR")
    try:
        serve(out, options.camera, options.size, count_requests(sys.stdin.fileno()))
    except BrokenPipeError:
        return 0
    except ImportError as error:
        fault = f"the system has no picamera2 (its package is python3-picamera2): {error}"
    except (RuntimeError, LookupError, OSError, ValueError, TypeError) as error:
        fault = " ".join(str(error).split()) or type(error).__name__
    write(out, FAULT, (0, 0, 0), fault.encode())
    return 1


if __name__ == "__main__":
    sys.exit(main())

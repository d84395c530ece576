"""A card reader on a real port, as the app has it: each event of the desk's code is a line.

reader.py DEVICE, until it is ended.
"""

from __future__ import annotations

import sys
import time

from hardware.card_reader import open_reader

POLL_S = 0.05


def main(device: str) -> None:
    """Poll it for ever."""
    reader = open_reader(device)
    while True:
        for event in reader.poll(time.monotonic()):
            print(event, flush=True)
        time.sleep(POLL_S)


if __name__ == "__main__":
    main(sys.argv[1])

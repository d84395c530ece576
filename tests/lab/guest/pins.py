"""The header's pins as the app has them: each event of the desk's code is a line, and the turn's lamp is red.

pins.py, until it is ended.
"""

from __future__ import annotations

import time

from hardware.lights import Lights
from hardware.pins import PinDevice, open_gpio
from hardware.wiring import Wiring

POLL_S = 0.005


def main() -> None:
    """Poll them for ever."""
    device = PinDevice(Wiring(), open_gpio)
    device.show(Lights(turn=(1.0, 0.0, 0.0)))
    print(device.health(), flush=True)
    while True:
        for event in device.poll(time.monotonic()):
            print(event, flush=True)
        time.sleep(POLL_S)


if __name__ == "__main__":
    main()

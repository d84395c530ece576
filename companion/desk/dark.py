"""`python -m companion.desk.dark`: turn off what the app leaves lit when it is killed.

A Raspberry Pi's kernel leaves outputs as they are when their process ends. The app's unit runs this after every end of
it; where the lamps are dark already, or no pins are wanted, nothing changes.
"""

from __future__ import annotations

import sys

from companion.core.log import tell
from companion.crash import last_net
from companion.settings import layers
from hardware.errors import HardwareError
from hardware.pins import open_gpio
from hardware.wiring import Wiring


def main() -> int:
    """Turn off all lamps by opening and closing the wired pins; return 1 if they can't be opened."""
    try:
        chosen = layers.load_sound()[0]
        if chosen.desk_pins:
            open_gpio(Wiring.of(chosen.pins, chosen.inverted)).close()
    except HardwareError as error:
        tell("error", str(error))
        return 1
    return 0


if __name__ == "__main__":
    last_net.install_hooks()
    sys.exit(main())

"""Serial devices of the drill: simulated far ends behind pseudo-terminals, opened by the app as any device is."""

from __future__ import annotations

import os
import threading
import time
import tty
from contextlib import suppress
from pathlib import Path

from hardware.simulated_ports import FarEnd

PERIOD_S = 0.005
GRAINS = 4096


class Line:
    """A far end at its end of a cable; `link` is the stable name of whatever is plugged in."""

    def __init__(self, link: Path, far_end: FarEnd) -> None:
        self.link, self.far_end = link, far_end
        self._unsent = b""
        self._lock, self._over = threading.Lock(), threading.Event()
        self._master = -1
        self.plug()
        self._thread = threading.Thread(target=self._work, name=f"line {link.name}", daemon=True)
        self._thread.start()

    def plug(self) -> None:
        """Plug it in: the device restarts under the same name."""
        self.far_end.start(time.monotonic())
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        with self._lock:
            self._master, self._slave = master, slave
            self.link.symlink_to(os.ttyname(slave))

    def unplug(self) -> None:
        """Pull it out."""
        with self._lock:
            self.link.unlink(missing_ok=True)
            for handle in (self._master, self._slave):
                os.close(handle)
            self._master, self._unsent = -1, b""

    def inject(self, data: bytes) -> None:
        """Put these bytes on the line as they are, as fast as they are taken."""
        with self._lock:
            self._unsent += data

    def is_drained(self) -> bool:
        """Whether all that was put on it has been taken."""
        with self._lock:
            return not self._unsent

    def close(self) -> None:
        """No more of it."""
        self._over.set()
        self._thread.join()
        if self._master >= 0:
            self.unplug()

    def _work(self) -> None:
        while not self._over.wait(PERIOD_S):
            with self._lock:
                if self._master >= 0:
                    now_s = time.monotonic()
                    with suppress(BlockingIOError):
                        self.far_end.hear(os.read(self._master, GRAINS), now_s)
                    self._unsent += self.far_end.speak(now_s)
                    with suppress(BlockingIOError):
                        self._unsent = self._unsent[os.write(self._master, self._unsent[:GRAINS]) :]

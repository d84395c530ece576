"""What can go wrong at the desk."""


class HardwareError(Exception):
    """Something is wrong at the desk; its message is one sentence for people."""


class WiringError(HardwareError):
    """Impossible pins: no such pin, or one pin for two things."""


class PinsError(HardwareError):
    """The machine has no pins, or this user may not use them."""


class PortLost(HardwareError):
    """A serial device is absent or unplugged."""


class FrameError(HardwareError):
    """Bytes that are no frame of a protocol; they are skipped and counted."""


class PortRefused(PortLost):
    """A serial device is present, but this user may not open it."""


class PortOpening(PortLost):
    """A serial device is still being opened; ask again soon."""

"""The one thing that can be wrong with what comes in."""


class Unreadable(ValueError):
    """Bytes that are not what they should be; the message completes "FILE: …"."""

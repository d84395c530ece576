"""The app and the command line: the only room that knows the rules and the eye, and brings them together."""

__version__ = "0.2.0"

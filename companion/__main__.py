"""`python -m companion` is `gunbai`."""

import sys


def run() -> int:
    """Run the command and return its exit status; if the program can't be loaded, print one line and return 2."""
    try:
        from companion.cli import entry
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - a damaged installation may raise anything
        print(f"gunbai: the program can't be loaded: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return entry()


if __name__ == "__main__":
    sys.exit(run())

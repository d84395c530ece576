"""How the piece network's weights are made; see README.md. Not part of the installed program."""

"""Settings in layers, the values they may have, and what was chosen in the app."""

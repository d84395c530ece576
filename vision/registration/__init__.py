"""Where the board lies in a picture: its corners found, a frame laid on the reference, the plan on the print."""

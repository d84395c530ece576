"""The camera while a game goes on: frames, motion, settled readings, and the process and service that send them."""

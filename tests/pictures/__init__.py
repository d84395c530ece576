"""What the app, its printer and the simulation draw, compared with small pictures of what they drew before.

`python -m tests.pictures.keep` keeps what is drawn now; version control shows which sheets have changed. Nothing here
says what is right: somebody looks.
"""

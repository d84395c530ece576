"""Simulated tables: boards of no game, pieces, light, camera and lens, with the truth of what lies there.

Drawn from seeds, for training, benchmarks, tests and the demo; the eye itself never imports it. Its board art is its
own, so that the eye is tried on art unlike the printed one.
"""

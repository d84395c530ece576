"""Games that play themselves: players for each system, dice and decks, and a simulated table that the real eye reads.

In comes a seed, and the same seed plays the same game; out come steps, pictures (H, W, 3) BGR and what the eye made of
them. Chance lives here, outside the rules. `game_demo.GameDemo` is what a system of rules gives.
"""

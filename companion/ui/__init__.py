"""What a screen shows and what a touch means, as frozen values. No pixels, no pygame, no rules."""

"""The window: fingers, keys, knob and sounds, and whose half of the glass is whose. The loop runs here."""

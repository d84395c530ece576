"""The settings, the desk, the self-check and the ways to switch off."""

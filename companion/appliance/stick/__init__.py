"""The memory stick: what it brings in, updates on it, and what systemd is asked to do with it."""

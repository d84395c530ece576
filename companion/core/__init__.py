"""What every room may use: errors, the disk, work in the background, the log, the language, text fit for a terminal.

Nothing here knows games, screens or devices, and only `storage` decides how bytes reach the disk and stay there.
"""

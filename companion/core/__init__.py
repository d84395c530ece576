"""What every room may use: errors, the disk, work in the background, the log, words fit for a terminal."""

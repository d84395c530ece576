"""Bases on a marked table: ArUco markers found, the camera fitted to them, each base placed and turned, in mm."""

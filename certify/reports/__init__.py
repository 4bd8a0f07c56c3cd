"""Presentation of verdicts: terminal and machine-readable output."""

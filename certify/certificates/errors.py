"""What keeps a certificate from being built."""

from __future__ import annotations


class DesignError(Exception):
    """No certificate could be built; the message says why and what to try."""

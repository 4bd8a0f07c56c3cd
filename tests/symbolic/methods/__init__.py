"""Tests of the decision procedures, mirrored file for file."""

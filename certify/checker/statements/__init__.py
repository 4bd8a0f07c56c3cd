"""Exact readers of what a theorem is about: from the bytes of a file to exact data, or an error naming the place."""

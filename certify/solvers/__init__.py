"""Untrusted floating-point solvers: search that may be wrong and costs only time."""

"""Exact certificates for optimal Gaussian noise, privacy claims and conic programs."""

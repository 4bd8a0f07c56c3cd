"""Untrusted: rounding of solutions and building of certificates, one module per claim family."""

"""The decision procedures, one module per kind of expression."""

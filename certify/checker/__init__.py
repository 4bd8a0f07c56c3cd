"""The trusted part: decides, in exact arithmetic and without tolerance, whether a certificate proves its claim.

Imports the standard library and python-flint only.
"""

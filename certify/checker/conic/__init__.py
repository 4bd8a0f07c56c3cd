"""Conic programs: their data, what can be claimed about them, and the exact rules that decide a witness."""

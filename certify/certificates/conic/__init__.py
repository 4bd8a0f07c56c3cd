"""From float solutions of conic programs to exact claims and witnesses: rounding and repair, all of it untrusted."""

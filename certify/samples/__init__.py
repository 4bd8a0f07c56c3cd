"""Real record domains to try things on; ORIGIN.md says where they come from."""

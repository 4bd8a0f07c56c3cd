"""Float solves of general conic programs, several backends behind one protocol, and a multiprecision refinement."""

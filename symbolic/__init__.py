"""The identities of the paper, each proved by a decision procedure; knows nothing of certify.

Every statement is an `Identity`: two sides, the domains of their symbols, and the method that proves it. A method
answers Proved, Failed or Undecided. It answers Proved only with a proof: equal coefficients, a normal form that reached
zero, a form whose sign is visible term by term. Numerical agreement is no method; it is a test, and is called that.
What a statement takes for granted beyond algebra and elementary calculus is said in its method below.
"""

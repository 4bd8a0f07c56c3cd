"""The identities of the paper, each proved by a decision procedure; knows nothing of certify.

Every statement is an `Identity`: two sides, the domains of their symbols, and the method that proves it. A method
answers Proved, Failed or Undecided. It answers Proved only with a proof: equal coefficients, a normal form that reached
zero, a form whose sign is visible term by term. Numerical agreement is no method; it is a test, and is called that.

Taken for granted: exact arithmetic, expansion and differentiation of sympy; the mean value theorem, the fundamental
theorem of calculus and dominated convergence, each under the conditions that its method checks; that the normal
density integrates to 1 and has the known moments; where a statement says so, that a function g without a formula is
bounded with its derivatives.

Not proved here, only the identities they rest on: that strong duality is attained (compactness); that equal
probabilities of the two inputs attain the capacity (concavity; their exchange is proved); that adaptively chosen
Gaussian releases compose like independent ones; Caratheodory's bound on the number of multipliers; and the step from
a statement for every summand, integrand or limit to the sum, integral or function itself, where that is one sentence.
"""

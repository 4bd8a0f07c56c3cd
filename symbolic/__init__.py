"""The identities of the paper, each proved by a decision procedure; knows nothing of certify."""

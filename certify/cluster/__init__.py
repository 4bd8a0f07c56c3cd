"""Past one machine: designing and checking on the workers of a Dask scheduler (extra ``cluster``)."""

"""What each primitive means: a family a file, an op in its adjoint's. Primitives never broadcast or promote."""

"""What each primitive means: a family a file, an op in its adjoint's. Primitives never broadcast or promote."""

from tidegate.ops import attached as attached  # for the registry: only tf uses it

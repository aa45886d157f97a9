"""Functions composed of primitives. They have no rules of their own: they convert, promote and broadcast."""

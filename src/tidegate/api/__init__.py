"""Transforms of Python callables: a file each."""

"""The public names of tidegate.tf."""

from tidegate import tf


def test_all_names_are_there_and_sorted():
    assert sorted(tf.__all__, key=str.lower) == tf.__all__
    assert all(hasattr(tf, name) for name in tf.__all__)


def test_every_public_function_has_a_docstring():
    spaces = [tf, tf.math, tf.nn, tf.linalg, tf.raw_ops, tf.compat.v1, tf.autodiff]
    found = [v for s in spaces for n, v in vars(s).items() if callable(v) and not n.startswith("_")]
    assert [v for v in found if not v.__doc__] == []

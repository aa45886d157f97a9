"""What tests of tidegate.tf share: gradients at the prompt, in a graph and forward, as plain numbers."""

import numpy as np

from tidegate import tf

V1 = tf.compat.v1


def plain(x):
    """A result as Python numbers: None stays None."""
    if x is None or isinstance(x, (str, bool)):
        return x
    if isinstance(x, (list, tuple)):
        return [plain(v) for v in x]
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items()}
    return np.asarray(tf.convert_to_tensor(x).numpy()).tolist()


def tape(function, *xs, **options):
    """The gradients of a function by a tape; of one argument alone, its own."""
    sources = [x if isinstance(x, (tf.Tensor, tf.Variable)) else tf.constant(x) for x in xs]
    with tf.GradientTape() as t:
        t.watch(sources)
        y = function(*sources)
    found = plain(t.gradient(y, sources, **options))
    return found[0] if len(xs) == 1 else found


def twice(function, x):
    """The first and second derivatives, by nested tapes."""
    x = tf.constant(x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        first = inner.gradient(y, x)
    return plain([first, outer.gradient(first, x)])


def run(build):
    """The values of the list of tensors that `build` gives in a fresh graph; None stays None."""
    with tf.Graph().as_default():
        found = build()
        session = V1.Session()
        return [None if t is None else np.asarray(session.run(t)).tolist() for t in found]


def graph_gradients(function, *xs, **options):
    """The gradients of a function by tf.gradients in a fresh graph."""

    def build():
        tensors = [tf.constant(x) for x in xs]
        return tf.gradients(function(*tensors), tensors, **options)

    found = run(build)
    return found[0] if len(xs) == 1 else found


def forward(function, x, tangent, **options):
    """The tangent of a function's value."""
    x = tf.constant(x)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(tangent)) as accumulator:
        y = function(x)
    return plain(accumulator.jvp(y, **options))

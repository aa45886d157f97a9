"""TensorFlow's exceptions, each one of ours and of the built-in kind that TensorFlow's users expect.

OpError (TidegateError)
    InvalidArgumentError (ValueError)       what TensorFlow finds out when an operation runs: at the prompt, or in a run
    FailedPreconditionError (ValueError)    a variable without a value
    NotFoundError (LookupError)             a name that isn't there
UsageError (RuntimeError)                   a tape used twice, tf.gradients at the prompt
"""

from __future__ import annotations

from tidegate.core.errors import TidegateError


class OpError(TidegateError):
    """The root of errors of operations that run."""


class InvalidArgumentError(OpError, ValueError):
    """Inputs that an operation can't take, found when it runs: at the prompt, or in a session."""


class FailedPreconditionError(OpError, ValueError):
    """Something that must come first didn't: a variable was never given its first value."""


class NotFoundError(OpError, LookupError):
    """A name that isn't there."""


class UsageError(TidegateError, RuntimeError):
    """A call at a time when it can't be."""

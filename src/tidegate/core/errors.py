"""The exceptions. Each is a TidegateError and the built-in kind that fits, and names the user's line.

TidegateError
    ShapeError (ValueError)             input shapes that an op can't take
        AxisError (IndexError)          an axis, or a static index, that isn't there
    DTypeError (TypeError)              dtypes that an op can't take, or that don't mix
    ScalarRangeError (OverflowError)    a Python number that its dtype can't hold
    ArgumentError (ValueError)          an argument of another kind that makes no sense
    ArgumentTypeError (TypeError)       an argument of the wrong type
    StructureError (ValueError)         containers that don't match
    NoValueError (TypeError)            a value was asked of something that has none yet
    GradientRefusedError (LookupError)  a gradient must pass an op that forbids it
    HistoryCutError (LookupError)       a gradient would have to pass where the history of a value was cut
    LeakError (RuntimeError)            a value was asked for where nothing may leave the graph
    ExchangeError (BufferError)         data that can't be exchanged with another library as asked
    IndexRangeError (IndexError)        an index found out of range when the graph ran
    SingularMatrixError (ValueError)    a matrix found to have no inverse when the graph ran
    InvalidValueError (ValueError)      a value found not to be as its user demanded, when the graph ran
    OpDefinitionError (TypeError)       an op class that lacks a rule
    RuleError (RuntimeError)            an op's rule broke its contract: a fault of the op, not of its user
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from tidegate.core.source import NOWHERE, Site, show_site, user_site


class TidegateError(Exception):
    """The root of all errors that this package raises on purpose.

    `message` says who, what was got and what was wanted; `site` is the user's line, by default the one that
    is running now.
    """

    def __init__(self, message: str, site: Site | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = show_site(user_site() if site is None else site)

    def __str__(self) -> str:
        return self.message if self.line == "?" else f"{self.message}  ({self.line})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, NOWHERE), {"line": self.line}


class ShapeError(TidegateError, ValueError):
    """Input shapes that an op can't take."""


class AxisError(ShapeError, IndexError):
    """An axis, or a static index, that isn't there."""


class DTypeError(TidegateError, TypeError):
    """Dtypes that an op can't take, or that don't mix."""


class ScalarRangeError(TidegateError, OverflowError):
    """A Python number that its dtype can't hold."""


class ArgumentError(TidegateError, ValueError):
    """An argument whose value makes no sense."""


class ArgumentTypeError(TidegateError, TypeError):
    """An argument of the wrong type."""


class StructureError(TidegateError, ValueError):
    """Containers that don't match."""


class NoValueError(TidegateError, TypeError):
    """A value was asked of a tensor that has none: an input of a graph that is being traced."""


class GradientRefusedError(TidegateError, LookupError):
    """A gradient must pass an op that forbids being differentiated."""


class HistoryCutError(TidegateError, LookupError):
    """A gradient would have to pass where the history of a value was cut: it can't be known."""


class LeakError(TidegateError, RuntimeError):
    """A value was asked for where `strict_lazy` lets none leave the graph."""


class ExchangeError(TidegateError, BufferError):
    """Data that can't be exchanged with another library as asked."""


class IndexRangeError(TidegateError, IndexError):
    """An index that was found out of range when the graph ran."""


class SingularMatrixError(TidegateError, ValueError):
    """A matrix that was found to have no inverse when the graph ran."""


class InvalidValueError(TidegateError, ValueError):
    """A value that was found not to be as its user demanded, when the graph ran."""


class OpDefinitionError(TidegateError, TypeError):
    """An op class that lacks a rule, or has one too many."""


class RuleError(TidegateError, RuntimeError):
    """An op's rule broke its contract. A fault of the op, not of its user."""


class HistoryWarning(UserWarning):
    """The history of evaluated values was cut, since it grew beyond its budget."""


class RetraceWarning(UserWarning):
    """A function was traced again and again, since its signature keeps changing."""


class Fault(Enum):
    """What can be wrong with a value: the codes of an executable's status word."""

    INDEX_OUT_OF_RANGE = IndexRangeError
    SINGULAR_MATRIX = SingularMatrixError
    INVALID_VALUE = InvalidValueError

    def error(self, message: str, site: Site) -> TidegateError:
        """The exception that tells the user of it."""
        return self.value(message, site)


class ValueFaultError(Exception):
    """Raised by an op's reference; the backend turns it into a status word. Never seen by users.

    `site` is the line of the op, if it isn't the one that is being run: an op inside of a region.
    """

    def __init__(self, fault: Fault, element: tuple[int, ...], message: str, site: Site | None = None) -> None:
        super().__init__(message)
        self.fault = fault
        self.element = element
        self.message = message
        self.site = site

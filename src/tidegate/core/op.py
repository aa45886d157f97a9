"""Op: what a primitive means, and nothing of how a backend runs it. And the registry of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import CO_VARARGS
from typing import Any, ClassVar, Self

import numpy as np

from tidegate.core.dtypes import DType, names
from tidegate.core.errors import DTypeError, OpDefinitionError, RuleError, ShapeError
from tidegate.core.graph import Array, Tensor, TensorType, make_node
from tidegate.core.intern import Interned, bounded

FORMS = ("partials", "adjoint", "vjp", "jvp", "non_differentiable", "refuses")

PRIMITIVES: dict[str, type[Op]] = {}
"""Every final op class, by module and qualified name."""

SlotKey = int | tuple[int, int]
"""An input, or (output, input)."""


@dataclass(frozen=True)
class Draw:
    """How tests draw one input of an op: its part of the op's domain.

    `like` says what else holds of the values: "index" (integers from 0 to below `high`), "boolean", "true", "distinct"
    (far enough apart that no step of a difference quotient reorders them), "symmetric" or "positive_definite"
    (matrices in the last two axes; tangents are symmetric too), "triangular" (lower, well conditioned).
    """

    shape: tuple[int, ...]
    low: float = -2.0
    high: float = 2.0
    like: str = "number"


@dataclass(frozen=True)
class Sample:
    """An op with attributes, and inputs that it takes: a point of its domain that tests try."""

    op: Op
    inputs: tuple[Draw, ...]


class Op(metaclass=Interned):
    """What a primitive means.

    Subclasses are frozen dataclasses, interned: the fields are the attributes, and equal ops are one object. A class
    is refused when it is defined unless it has the three rules below and exactly one of the derivative forms:

    partials(out, *inputs)          elementwise: one d out / d x per input: a tensor, 1, -1, a boolean tensor (the
                                    cotangent where it is true, an exact 0 elsewhere), 0 (zero by rule), or None
    adjoint(cotangent, *inputs)     linear: the cotangent through the adjoint of each input's map, under the real
                                    inner product Re<u, v>, so it conjugates its own coefficients. An op that is
                                    linear in each input apart (a product) sets `jointly_linear = False`
    vjp(cotangent, out, *inputs)    the rest: the pulled-back cotangents, linear in `cotangent`; or
    jvp(tangents, out, *inputs)     the pushed-forward tangent, linear in `tangents`, of which some are None
    non_differentiable              a sentence: why nothing flows. Shown in errors and in flow reports
    refuses                         a sentence: why asking for a derivative is an error

    Where an op has several outputs, `cotangent` and `out` are tuples (zeros for a cotangent that nothing sent).
    A region op gets the engine and which inputs are asked for, `vjp(engine, wanted, cotangents, outs, *inputs)`, with
    None for such a cotangent, and gives None for the other inputs; it may have both vjp and jvp.
    """

    infer: Any
    """infer(*types): the outputs' types. Raises ShapeError or DTypeError that names the op and the inputs."""
    reference: Any
    """reference(*arrays): the outputs' values in the plainest NumPy, which every backend must agree with."""
    batch: Any
    """batch(size, batched, *xs): the op on inputs of which those that `batched` says have one more, leading, axis of
    `size`. Every output has that axis. With `batch_together` all inputs have it: the engine repeats the others."""
    reads: Any
    """reads(*types): which element of each input an iteration of the op's loop nest reads (core/kinds)."""
    domain: Any
    """domain(): where tests try it. A class without samples is a failing test that names it."""

    measured: Any = None
    """measured(*arrays): what data makes of the sizes among the attributes that only it decides. An op that has this
    ends a segment of an executable: what follows is made anew with the numbers."""

    non_differentiable: str
    refuses: str
    form: ClassVar[str]
    """Which of the forms it states."""
    name: ClassVar[str]
    arity: ClassVar[int | None] = None
    """How many inputs it takes: read off `infer` unless stated; None for any number."""
    jointly_linear: ClassVar[bool] = True
    batch_together: ClassVar[bool] = False
    zero_upstream: ClassVar[bool] = False
    """Whether a zero cotangent (or tangent) gives exactly 0 even where the partial is infinite."""
    no_gradient: ClassVar[Mapping[SlotKey, str]] = {}
    """Single slots that nothing flows through, and why. The rule must return None exactly there."""
    choices: ClassVar[frozenset[int]] = frozenset()
    """Inputs that choose and aren't passed on (a predicate): flow reports keep such paths apart."""
    internal: bool = False
    """Whether a function of ours placed it as part of its formula (a gate): flow reports keep such paths apart."""
    pointwise: ClassVar[bool] = False
    """Whether out[i] depends on its inputs' elements i alone: elementwise ops."""
    plain: ClassVar[bool] = False
    """Whether `compute` is its whole reference, but for float16 and bfloat16."""
    compute: Any
    leaf_value: Array | None = None
    """The value that a leaf carries."""

    _inferred: dict[tuple[TensorType, ...], tuple[TensorType, ...]]
    """The type rule's answers, remembered."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """An op that has inferred nothing yet."""
        op = object.__new__(cls)
        object.__setattr__(op, "_inferred", {})  # a field of its own, not one of the frozen dataclass's
        return op

    def __init_subclass__(cls, abstract: bool = False, interned: bool = True) -> None:
        cls.interned = interned
        cls.name = cls.__name__
        if abstract:
            return
        forms = [f for f in FORMS if hasattr(cls, f)]
        if len(forms) != 1 and not (cls.both_modes_stated and forms == ["vjp", "jvp"]):
            raise OpDefinitionError(
                f"op {cls.__name__} defines {' and '.join(forms) or 'no derivative form'}; "
                f"define exactly one of {', '.join(FORMS)}"
            )
        missing = [rule for rule in ("infer", "reference", "batch", "reads", "domain") if not hasattr(cls, rule)]
        if missing:
            raise OpDefinitionError(f"op {cls.__name__} lacks {', '.join(missing)}")
        cls.form = forms[0]
        rule = cls.infer.__code__
        if cls.arity is None and not rule.co_flags & CO_VARARGS:
            cls.arity = rule.co_argcount - 1
        PRIMITIVES[f"{cls.__module__}.{cls.__qualname__}"] = cls

    both_modes_stated: ClassVar[bool] = False

    def __call__(self, *inputs: Tensor) -> Any:
        """Apply: a tensor, or a tuple of them for an op of several outputs."""
        types = (inputs[0].type,) if len(inputs) == 1 else tuple([x.type for x in inputs])
        outs = make_node(self, inputs, self._inferred.get(types) or self.output_types(types))
        return outs[0] if len(outs) == 1 and not self.several(1) else outs

    def several(self, count: int) -> bool:
        """Whether applying gives a tuple."""
        return count != 1

    def output_types(self, types: tuple[TensorType, ...]) -> tuple[TensorType, ...]:
        """`infer`, remembered. Raises ShapeError for another number of inputs."""
        memo = self._inferred
        found = memo.get(types)
        if found is None:
            if self.arity is not None and len(types) != self.arity:
                raise ShapeError(f"{self.name}: got {len(types)} inputs; want {self.arity}")
            inferred = self.infer(*types)
            found = bounded(memo)[types] = inferred if isinstance(inferred, tuple) else (inferred,)
        return found

    def passes(self, output: int, input: int) -> bool:
        """Whether a derivative passes from an output to an input, as far as the op (not dtypes) says.

        An op that refuses lets it pass, to raise when it is there.
        """
        return (
            self.form != "non_differentiable"
            and input not in self.no_gradient
            and (output, input) not in self.no_gradient
        )

    def why_not(self, output: int, input: int) -> str:
        """The sentence that says why it doesn't pass."""
        if self.form == "non_differentiable":
            return self.non_differentiable
        return self.no_gradient.get(input) or self.no_gradient[output, input]

    def why_refused(self) -> str:
        """The sentence that says why asking for a derivative is an error."""
        return self.refuses

    def require(self, types: Iterable[TensorType], dtypes: frozenset[DType]) -> None:
        """Raise DTypeError unless every type has one of `dtypes`, and all the same."""
        types = list(types)
        for t in types:
            if t.dtype not in dtypes:
                raise DTypeError(f"{self.name}: got {t}; want {names(dtypes)}")
            if t.dtype != types[0].dtype:
                raise DTypeError(f"{self.name}: got {show_types(types)}; want one dtype")

    def check(self, arrays: Any, types: tuple[TensorType, ...]) -> tuple[Array, ...]:
        """A reference's results as arrays. Raises RuleError where they aren't what the type rule promised."""
        arrays = tuple([np.asarray(a) for a in (arrays if isinstance(arrays, tuple) else (arrays,))])
        for array, want in zip(arrays, types, strict=True):
            if array.dtype != want.dtype or array.shape != want.shape:
                raise RuleError(
                    f"{self.name}: its reference gave {TensorType(array.shape, array.dtype)}, its type rule {want}"
                )
        return arrays

    def __reduce__(self) -> tuple[Any, ...]:
        fields = getattr(self, "__dataclass_fields__", {})
        return type(self), tuple([getattr(self, f.name) for f in fields.values() if f.init])

    def __str__(self) -> str:
        fields = getattr(self, "__dataclass_fields__", {})
        shown = [f"{f.name}={_show(getattr(self, f.name))}" for f in fields.values() if f.init and f.repr]
        return f"{self.name}({', '.join(shown)})" if shown else self.name

    __repr__ = __str__


def _show(attribute: Any) -> str:
    return attribute.name if isinstance(attribute, np.dtype) else str(attribute)


def show_types(types: Iterable[TensorType]) -> str:
    """`float32[2], int64[2]`, for messages."""
    return ", ".join(map(str, types))

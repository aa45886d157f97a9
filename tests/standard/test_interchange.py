"""Arrays go to and from other libraries through DLPack: read-only where that can be said, else as a copy."""

import array_api_strict
import numpy as np
import pytest

import tidegate as tg
from tidegate.core.dtypes import ANY, bfloat16
from wrong_use import check_error

DTYPES = sorted(ANY - {bfloat16}, key=lambda d: d.name)
SHAPES = [(), (0,), (1,), (3,), (2, 0), (2, 3)]
X = tg.asarray([1.0, 2.0])


def array_of(shape, dtype):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


class Old:
    """A consumer's view of a tensor that hands out capsules as before version 1."""

    def __init__(self, x, **keywords):
        self.capsule = x.__dlpack__(**keywords)

    def __dlpack__(self, **keywords):
        return self.capsule

    def __dlpack_device__(self):
        return 1, 0


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.name)
def test_numpy_gets_the_value_and_gives_it_back(shape, dtype):
    array = array_of(shape, dtype)
    there = np.from_dlpack(tg.from_dlpack(array))
    assert there.dtype == dtype
    np.testing.assert_array_equal(there, array)
    assert there.shape == shape


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.complex128, np.bool_])
def test_array_api_strict_gets_the_value_and_gives_it_back(dtype):
    array = array_of((2, 3), dtype)
    there = array_api_strict.from_dlpack(tg.asarray(array))
    np.testing.assert_array_equal(np.asarray(there), array)
    assert tg.from_dlpack(there).dtype == array.dtype
    np.testing.assert_array_equal(tg.from_dlpack(there).numpy(), array)


def test_what_another_library_gets_is_read_only_and_not_copied():
    there = np.from_dlpack(X)
    assert not there.flags.writeable
    assert np.shares_memory(there, X.numpy())


def test_a_consumer_that_knows_no_read_only_gets_a_copy():
    there = np.from_dlpack(Old(X))
    assert not np.shares_memory(there, X.numpy())
    assert there.tolist() == [1.0, 2.0]


def test_a_copy_that_is_asked_for_is_one():
    there = np.from_dlpack(X, copy=True)
    assert not np.shares_memory(there, X.numpy())


def test_what_comes_is_a_copy():
    array = np.ones(2)
    x = tg.from_dlpack(array)
    array[0] = 5.0
    assert x.numpy().tolist() == [1.0, 1.0]
    assert tg.from_dlpack(array, copy=True).numpy().tolist() == [5.0, 1.0]
    assert tg.from_dlpack(array, device="cpu").device == "cpu"


def test_arrays_that_are_not_contiguous_come_whole():
    array = np.arange(12.0).reshape(3, 4)
    for part in (array[:, ::2], array.T, array[::-1]):
        np.testing.assert_array_equal(tg.from_dlpack(part).numpy(), part)


def test_a_tensor_comes_as_itself_and_keeps_its_gradient():
    y = X * 2.0
    assert tg.from_dlpack(y) is y
    assert tg.gradients(tg.from_dlpack(y), X)[0] is not None


def test_a_tensor_says_that_it_is_on_the_cpu():
    assert X.__dlpack_device__() == (1, 0)


def test_a_value_is_computed_when_it_is_asked_for():
    assert np.from_dlpack(X * 2.0).tolist() == [2.0, 4.0]


WRONG = {
    "a stream": (lambda: X.__dlpack__(stream=1), BufferError, "__dlpack__: got stream 1; want None"),
    "another device": (lambda: X.__dlpack__(dl_device=(2, 0)), BufferError, r"got device \(2, 0\); want \(1, 0\)"),
    "bfloat16": (lambda: X.astype(tg.bfloat16).__dlpack__(), BufferError, "can't exchange bfloat16"),
    "no copy where one must be": (lambda: X.__dlpack__(copy=False), BufferError, "got copy=False and version None"),
    "no copy of an old version": (
        lambda: X.__dlpack__(copy=False, max_version=(0, 8)),
        BufferError,
        "the value is read",
    ),
    "what has no DLPack": (lambda: tg.from_dlpack([1.0]), TypeError, "from_dlpack: got list; want an array with __dl"),
    "what can't be exchanged": (lambda: tg.from_dlpack(np.array(["a"])), BufferError, "from_dlpack: got ndarray that"),
    "no copy of theirs": (lambda: tg.from_dlpack(np.ones(2), copy=False), BufferError, "got copy=False"),
    "a device there is not": (lambda: tg.from_dlpack(X, device="gpu"), ValueError, "from_dlpack: got device 'gpu'"),
}


@pytest.mark.parametrize(("call", "kind", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_exchanged_says_what_was_got_and_wanted_and_where(call, kind, message):
    check_error(call, kind, message)


def test_a_version_that_says_read_only_needs_no_copy():
    capsule = Old(X, copy=False, max_version=(1, 0))
    assert not np.from_dlpack(capsule).flags.writeable

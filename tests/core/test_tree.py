"""Containers: flattened, rebuilt, matched and named."""

import dataclasses
from collections import OrderedDict, defaultdict, namedtuple

import pytest

from tidegate.core.errors import StructureError
from tidegate.core.tree import flatten, map_leaves, match, named_leaves

Point = namedtuple("Point", "x y")


@dataclasses.dataclass
class Layer:
    w: object
    b: object = None


@dataclasses.dataclass(frozen=True)
class Frozen:
    w: object
    b: object

    def __post_init__(self):
        if not isinstance(self.w, int):
            raise TypeError("whole numbers only")


@dataclasses.dataclass(slots=True)
class Slotted:
    w: object
    late: object = dataclasses.field(init=False)


TREES = [
    1,
    None,
    [1, 2],
    (1, (2, [3])),
    Point(1, [2, 3]),
    {"b": 1, "a": {"c": 2}},
    OrderedDict(b=1, a=2),
    Layer(1, {"k": 2}),
    Frozen(1, 2),
    [],
    (),
    {},
    [[], None, {"a": ()}],
    Layer([], None),
]


@pytest.mark.parametrize("tree", TREES, ids=repr)
def test_what_is_flattened_can_be_rebuilt(tree):
    leaves, structure = flatten(tree)
    again = structure.build(leaves)
    assert again == tree
    assert type(again) is type(tree)


@pytest.mark.parametrize("tree", TREES, ids=repr)
def test_a_structure_counts_the_leaves(tree):
    leaves, structure = flatten(tree)
    assert structure.leaf_count == len(leaves)
    assert [leaf for _, leaf in named_leaves(tree, "t")] == leaves
    assert match(tree, structure, "test") == leaves


def test_none_is_a_leaf_and_an_empty_container_has_none():
    assert flatten([None, (), {}, []])[0] == [None]


def test_dicts_keep_the_order_they_have():
    assert list(map_leaves(str, {"b": 1, "a": 2})) == ["b", "a"]


def test_a_defaultdict_keeps_its_default():
    made = map_leaves(lambda v: v + 1, defaultdict(list, a=1))
    assert made == {"a": 2}
    assert made["missing"] == []


def test_a_dict_subclass_comes_back_as_a_dict():
    class Mine(dict):
        def __init__(self):
            super().__init__(a=1)

    assert type(map_leaves(str, Mine())) is dict


def test_a_dataclass_is_rebuilt_without_its_checks():
    made = map_leaves(str, Frozen(1, 2))
    assert (type(made), made.w, made.b) == (Frozen, "1", "2")


def test_a_field_that_was_never_set_stays_unset():
    made = map_leaves(str, Slotted(1))
    assert made.w == "1"
    assert not hasattr(made, "late")


def test_a_dataclass_type_and_a_subclass_of_list_are_leaves():
    class Mine(list):
        pass

    mine = Mine([1])
    assert flatten([Layer, mine])[0] == [Layer, mine]


def test_leaves_are_named_as_one_would_write_them():
    tree = {"p": Point([1, 2], Layer(3, None))}
    names = [name for name, _ in named_leaves(tree, "params")]
    assert names == [
        "params['p'][0][0]", "params['p'][0][1]", "params['p'][1].w", "params['p'][1].b",
    ]  # fmt: skip


def test_dicts_match_in_any_order_of_their_keys_and_of_any_kind():
    _, structure = flatten({"a": 1, "b": [2]})
    assert match(OrderedDict(b=["two"], a="one"), structure, "test") == ["one", "two"]


def test_where_a_leaf_is_wanted_anything_will_do():
    assert match([1, [2]], flatten([None, None])[1], "test") == [1, [2]]


@pytest.mark.parametrize(
    ("tree", "want"),
    [
        ([1, 2], (1, 2)),
        ((1,), (1, 2)),
        (Point(1, 2), (1, 2)),
        ((1, 2), Point(1, 2)),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {"a": 1, "b": 2}),
        (Layer(1, 2), {"w": 1, "b": 2}),
        (Layer(1, 2), Frozen(1, 2)),
        (1, [1]),
        ([], {}),
        (None, ()),
    ],
    ids=repr,
)
def test_another_structure_is_refused_with_both_shown(tree, want):
    structure = flatten(want)[1]
    with pytest.raises(StructureError) as caught:
        match(tree, structure, "cotangents")
    assert caught.value.message == f"cotangents: got {flatten(tree)[1]}; want the structure {structure}"


def test_building_takes_exactly_as_many_leaves_as_there_are():
    with pytest.raises(StructureError, match=r"got 3 leaves for \[\*, \*\]; want 2"):
        flatten([1, 2])[1].build([1, 2, 3])


@pytest.mark.parametrize(
    ("tree", "shown"),
    [
        (1, "*"),
        ([1, (2,)], "[*, (*)]"),
        ({"a": {}, "b": []}, "{'a': {}, 'b': []}"),
        (Point(1, 2), "Point(*, *)"),
        (Layer(1, 2), "Layer{'w': *, 'b': *}"),
        (OrderedDict(a=1), "OrderedDict{'a': *}"),
    ],
)
def test_a_structure_is_shown_as_the_container_is_written(tree, shown):
    assert str(flatten(tree)[1]) == shown

"""--json: one object of strict JSON."""

import json

import pytest


def strictly(text):
    """Parsed, with NaN and Infinity refused, which Python's parser takes otherwise."""

    def refuse(name):
        raise ValueError(f"{name} isn't JSON")

    return json.loads(text, parse_constant=refuse)


def test_the_object_says_what_the_table_does(explain):
    said = explain(
        """
        def f(x=1.0, n=3):
            return x * n + tg.stop_gradient(x)
        """,
        "f",
        "--json",
    )
    line = {"line": "program.py:5", "text": "return x * n + tg.stop_gradient(x)"}
    blocker = {"op": "StopGradient", "why": "stop_gradient makes it a constant", **line, "paths": 1}
    assert strictly(said.out) == {
        "function": "program.py:f",
        "value": 4.0,
        "type": "float32[]",
        "summed": False,
        "inputs": [
            {
                "source": "x",
                "status": "mixed",
                "open_paths": 1,
                "blocked_paths": 1,
                "blockers": [blocker],
                "choice_paths": 0,
                "choices": [],
                "internal_paths": 0,
                "internal": [],
                "type": "float32[]",
                "gradient_norm": 3.0,
            }
        ],
        "passed": ["n"],
        "stops": [{"op": "StopGradient", **line, "count": 1, "masks": ["x"]}],
    }


@pytest.mark.parametrize(
    ("loss", "value", "norm"),
    [
        ("tg.log(x)", "-inf", "inf"),
        ("tg.log(x) * 0.0", "nan", "nan"),
        ("tg.astype(x, 'float64') + 1e308 * 10", "inf", 1.0),
        ("tg.floor(x)", 0.0, None),
    ],
)
def test_what_json_has_no_number_for_is_a_string(explain, loss, value, norm):
    found = strictly(explain(f"def f(x=0.0): return {loss}", "f", "--json").out)
    assert (found["value"], found["inputs"][0]["gradient_norm"]) == (value, norm)


def test_a_value_with_axes_is_text(explain):
    found = strictly(explain("def f(x=np.ones(2)): return x", "f", "--json").out)
    assert (found["value"], found["summed"]) == ("[1. 1.]", True)


def test_what_the_program_prints_is_kept_apart(explain):
    said = explain("print('at import')\ndef f(x=1.0):\n    print('called')\n    return x", "f", "--json")
    assert strictly(said.out)["value"] == 1.0
    assert said.error == "at import\ncalled\n"


def test_an_integer_input_has_the_functions_line(explain):
    found = strictly(explain("def f(i=np.arange(2)): return tg.sum(tg.astype(i, 'float32'))", "f", "--json").out)
    (blocker,) = found["inputs"][0]["blockers"]
    assert (blocker["line"], blocker["why"]) == ("program.py:3", "int64 carries no gradient")


def test_what_ends_paths_is_listed_as_in_the_table_stop_or_not(explain):
    said = explain("def f(x=np.ones(2)): return tg.sum(tg.floor(x)) + tg.sum(tg.prevent_gradient(x))", "f", "--json")
    stops = json.loads(said.out)["stops"]
    assert [(s["op"], s.get("masks"), s.get("forbids")) for s in stops] == [("PreventGradient", None, ["x"])]
    said = explain("def f(x=np.ones(2)): return tg.sum(tg.floor(x)) + tg.sum(x)", "f", "--json")
    assert [(s["op"], s["masks"]) for s in json.loads(said.out)["stops"]] == [("Floor", ["x"])]

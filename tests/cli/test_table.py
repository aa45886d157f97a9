"""What the command says of where gradients flow, as a table."""

import re

import pytest


def columns(row):
    """The columns of a line of the table: input, type, gradient, paths."""
    return re.split(r" {2,}", row)


def section(out, title):
    """The lines below a line that begins with `title`, to the next empty line."""
    lines = out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.split()[:1] == [title])
    below = lines[start + 1 :]
    return below[: below.index("")] if "" in below else below


def test_the_table_has_a_line_for_each_input_and_the_stops_below(explain):
    said = explain("""
        def f(w=np.ones(2), x=1.0):
            y = tg.sum(w) * x
            return y + tg.stop_gradient(x)
    """)
    assert said == said.__class__(
        0,
        """\
program.py:f

value  3  float64[]

input  type        gradient     paths
w      float64[2]  norm 1.4142  flows: 1 path open
x      float32[]   norm 2       mixed: 1 path open, 1 blocked [1]

stops
[1] program.py:6  masks x
    return y + tg.stop_gradient(x)
""",
        "",
    )


def test_every_status_has_its_words(explain):
    said = explain("""
        def f(flows=1.0, mixed=1.0, blocked=1.0, unconnected=1.0, refused=1.0, chosen=1.0):
            held = tg.stop_gradient(mixed) + tg.stop_gradient(blocked)
            return held + flows + mixed + tg.prevent_gradient(refused, "it is a key") + tg.where(chosen > 0, 1.0, 2.0)
    """)
    rows = [columns(row) for row in section(said.out, "input")]
    words = {name: paths.split(":")[0] for name, _, _, paths in rows}
    assert words.pop("chosen") == "unconnected"
    assert words == {name: name for name in ("flows", "mixed", "blocked", "unconnected", "refused")}


def test_the_reason_of_an_op_without_derivative_is_shown(explain):
    said = explain("def f(x=1.5): return tg.floor(x)")
    assert "Floor: floor is piecewise constant" in section(said.out, "stops")[2]


def test_the_reason_of_a_refusal_is_shown(explain):
    said = explain("def f(x=1.5): return tg.prevent_gradient(x, 'it is a key')")
    assert section(said.out, "stops")[0].endswith("forbids x")
    assert section(said.out, "stops")[2].endswith("it is a key")


def test_integers_are_blocked_without_a_line(explain):
    said = explain("def f(x=1.0, i=np.arange(2)): return x * tg.sum(tg.astype(i, 'float32'))")
    assert section(said.out, "input")[1].endswith("blocked: int64 carries no gradient")
    assert "no stops" in said.out


def test_only_a_choice_leads_to_a_predicate(explain):
    said = explain("def f(x=1.0): return tg.where(x > 0, 1.0, 2.0)")
    assert section(said.out, "input")[0].endswith("unconnected: only choices depend on it")


def test_a_line_that_ran_many_times_is_one_stop_with_its_count(explain):
    said = explain("""
        def f(x=1.0):
            y = x
            for _ in range(5):
                y = y + tg.stop_gradient(y)
            return y
    """)
    assert section(said.out, "stops") == ["[1] program.py:7  5 times  masks x", "    y = y + tg.stop_gradient(y)"]


@pytest.mark.parametrize(
    "call",
    ["tg.cond(x > 0, g, g, x)", "tg.sum(tg.vmap(g)(tg.broadcast_to(x, (3,))))", "tg.jvp(g, (x,), (x,))[0]"],
    ids=["cond", "vmap", "jvp"],
)
def test_a_stop_inside_of_a_transform_has_its_line(explain, call):
    said = explain(f"""
        def g(a):
            return a * tg.stop_gradient(a)
        def f(x=2.0):
            return {call}
    """)
    assert section(said.out, "stops")[-1] == "    return a * tg.stop_gradient(a)"
    assert "program.py:5" in section(said.out, "stops")[0]


def test_a_stop_in_a_helper_module_has_that_files_line(explain, folder):
    (folder / "helper.py").write_text("import tidegate as tg\ndef held(x):\n    return tg.stop_gradient(x)\n")
    said = explain("import helper\ndef f(x=1.0): return x * helper.held(x)")
    assert section(said.out, "stops") == ["[1] helper.py:3  masks x", "    return tg.stop_gradient(x)"]


def test_both_stops_that_mask_an_input_are_listed(explain):
    said = explain("""
        def f(x=1.0):
            y = tg.stop_gradient(x)
            return y * tg.stop_gradient(tg.exp(x))
    """)
    assert section(said.out, "input")[0].endswith("blocked: all 2 paths blocked [1] [2]")
    assert [line for line in section(said.out, "stops") if line.startswith("[")] == [
        "[1] program.py:5  masks x",
        "[2] program.py:6  masks x",
    ]


def test_a_stop_behind_a_stop_masks_none_of_the_inputs(explain):
    said = explain("""
        def f(x=1.0):
            y = tg.stop_gradient(x)
            return tg.stop_gradient(y)
    """)
    assert "[2] program.py:6  masks none of the inputs" in said.out


def test_a_stop_that_the_library_places_is_not_listed(explain):
    said = explain("def f(x=np.ones(3)): return tg.logsumexp(x)")
    assert "no stops" in said.out


def test_more_than_a_few_blockers_are_counted(explain):
    stops = "\n".join([f"            y = y + tg.stop_gradient(x * {i}.0)" for i in range(6)])
    said = explain(f"""
        def f(x=1.0):
            y = 0.0
{stops}
            return y
    """)
    assert section(said.out, "input")[0].endswith("[1] [2] [3] [4] and 2 more")


def test_a_loss_with_axes_is_summed_and_said_so(explain):
    said = explain("def f(x=np.ones(4)): return x * 3.0")
    assert "value  [3. 3. 3. 3.]  float64[4]  (summed, for the gradient)" in said.out
    assert "norm 6" in said.out


def test_a_large_value_takes_one_line(explain):
    said = explain("def f(x=np.ones((300, 300))): return x * 3.0")
    (line,) = [line for line in said.out.splitlines() if line.startswith("value")]
    assert len(line) < 150


@pytest.mark.parametrize(
    ("loss", "shown"),
    [
        ("tg.log(x - 1.0)", "norm inf"),
        ("tg.log(x - 1.0) * 0.0", "norm nan"),
        ("x * 1e30", "norm 1e+30"),
        ("x * 0.0", "norm 0"),
    ],
)
def test_a_gradient_of_any_size_is_shown(explain, loss, shown):
    said = explain(f"def f(x=1.0): return {loss}")
    assert columns(section(said.out, "input")[0])[2] == shown
    assert said.error == ""


def test_a_norm_whose_square_overflows_is_shown(explain):
    said = explain("def f(x=np.ones(4)): return tg.sum(x * 1e300)")
    assert "norm 2e+300" in said.out


def test_a_refused_input_leaves_the_others_their_norms(explain):
    said = explain("def f(x=1.0, y=3.0): return tg.prevent_gradient(x, 'no') * y")
    assert [columns(row)[2] for row in section(said.out, "input")] == ["none", "norm 1"]


def test_half_precision_and_complex_inputs_have_norms(explain):
    said = explain("""
        def f(x=tg.asarray(1.5, dtype="bfloat16"), z=np.asarray([3 + 4j])):
            return tg.astype(x, "float64") + tg.sum(tg.abs(z) ** 2)
    """)
    assert [columns(row)[2] for row in section(said.out, "input")] == ["norm 1", "norm 10"]

"""What the pages show is what happens: every example in them is run."""

import doctest
import re
import sys
from pathlib import Path
from subprocess import run

import pytest

ROOT = Path(__file__).parents[2]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def examples(page):
    """The `>>>` examples of a page, as one program."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, str(ROOT / page), 0)


PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md"))]
WITH_EXAMPLES = [page for page in PAGES if "```pycon" in (ROOT / page).read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_the_examples_of_a_page_give_what_it_shows(page):
    test = examples(page)
    assert test.examples
    report = []
    failed, _ = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append)
    assert not failed, "".join(report)


def test_the_readme_shows_what_explain_prints():
    command = [sys.executable, "-m", "tidegate", "explain", "examples/softmax.py:loss"]
    shown = run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (block,) = re.findall(r"^```text\n(.*?)^```$", (ROOT / "README.md").read_text(), flags=re.MULTILINE | re.DOTALL)
    assert shown == block

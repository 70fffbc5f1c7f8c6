"""The sampler of sentences: the same draw by the same seed, from all four sources."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "sentences.py"


@pytest.fixture(scope="module")
def sampler(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The sampler, of the pages and of one package, which is read in a tenth of the time."""
    spec = importlib.util.spec_from_file_location("sampler_of_sentences", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    root = tmp_path_factory.mktemp("sources")
    for place, target in (
        ("README.md", "README.md"),
        ("docs", "docs"),
        ("src", "src/rocsolid/report"),
    ):
        (root / place).symlink_to(module.ROOT / target)
    vars(module)["ROOT"] = root
    return module


def test_a_seed_draws_the_same_sentences(sampler: ModuleType) -> None:
    lines = sampler.drawn(40, 3)
    assert lines == sampler.drawn(40, 3) != sampler.drawn(40, 4)
    assert set(Counter(source for source, _ in lines).values()) == {10}
    assert len({sentence for _, sentence in lines}) > 35


def test_only_prose_is_drawn(sampler: ModuleType) -> None:
    page = "# Head\n\nOne [link](a.md) here. A second one.\n\n```python\n>>> 1\n```\n\n| a | b |\n"
    assert list(sampler.split(sampler.prose(page))) == ["One link here.", "A second one."]


def test_blind_lines_come_from_both_packages_alike(
    sampler: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    numpydoc = (
        '"""Add numbers to one another.\n\nParameters\n----------\na: A number of any kind."""'
    )
    file = tmp_path / "peer.py"
    file.write_text(numpydoc, "utf-8")
    assert sampler.texts_of([file])["docstring"] == ["Add numbers to one another."]
    peers = {"docstring": list("abc"), "printed": list("defg")}
    monkeypatch.setattr(sampler, "sentences_of_peers", lambda: peers)
    lines = sampler.drawn_blind(12, 3)
    expected = {(source, package): 3 for source in peers for package in ("rocsolid", "peers")}
    assert Counter(line[:2] for line in lines) == expected

import io
from dataclasses import replace

import pytest
from rich.console import Console

from agents.omissions import salient_facts
from schemas.texts import VerificationSettings
from streams.cli.render_completeness import completeness
from tests.unit.verify.bench import Bench, WordJudge, fact


async def printed(text: str, **settings: object) -> str:
    bench = Bench()
    bench.verifier = replace(bench.verifier, judge=WordJudge())
    await bench.add(
        fact("a", "Penicillin causes hives", section="Allergies"),
        fact("b", "dry cough [sic]", document_id="n1"),
    )
    sheet = await bench.verify(text, settings=VerificationSettings(**settings))
    console = Console(width=160, file=io.StringIO())
    console.print(*completeness(sheet), end="")
    return console.file.getvalue()


async def test_what_is_left_out_is_shown_with_its_quote() -> None:
    said = await printed("dry cough", omissions=True)
    assert "0 of 1 salient facts are covered (0%)" in said
    assert "Penicillin causes hives" in said
    assert "is silent" in said


async def test_a_list_that_was_cut_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "of the record" in await printed("dry cough", omissions=True)
    assert "may lack some" not in await printed("dry cough", omissions=True)
    monkeypatch.setattr(salient_facts, "SEARCHED", 2)
    assert "may lack some" in await printed("dry cough", omissions=True)


async def test_citations_are_shown_sentence_by_sentence() -> None:
    said = await printed("dry cough [n1]", citations=True)
    assert "recall 100%, precision 100%" in said
    assert "0-14" in said


async def test_nothing_is_shown_that_was_not_asked_for() -> None:
    assert await printed("dry cough") == ""

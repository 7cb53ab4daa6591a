"""Citations: which notes a sentence names, whether they bear it out, and which of them it needs."""

from dataclasses import replace

import pytest

from agents.ports import EmbeddedFact
from agents.verification.citation_markers import without_markers
from schemas.completeness import Citations
from schemas.notes import AuthorCategory
from schemas.texts import VerificationSettings
from tests.unit.verify.bench import Bench, WordJudge, fact

CHART = {
    "n1": "dry cough since monday",
    "n2": "fever of 39",
    "n3": "dry cough since monday",
    "n4": "the bed alarm is on",
}


async def citations(text: str, facts: list[EmbeddedFact] | None = None, **more) -> Citations:
    bench = Bench()
    bench.judge = WordJudge()
    bench.verifier = replace(bench.verifier, judge=bench.judge)
    await bench.add(*(facts or [fact(d, said, document_id=d) for d, said in CHART.items()]))
    sheet = await bench.verify(text, settings=VerificationSettings(citations=True), **more)
    return sheet.citations


async def test_a_sentence_borne_out_by_the_note_it_cites_counts_for_both() -> None:
    found = await citations("dry cough [1].", references={"1": "n1"})
    assert (found.recall, found.precision) == (1.0, 1.0)
    (row,) = found.sentences
    assert (row.documents, row.needed) == (("n1",), ("n1",))


async def test_document_ids_are_marks_in_either_kind_of_brackets() -> None:
    found = await citations("dry cough [n1].\nfever (n2).\ncough (no sputum) [n1].")
    assert [row.documents for row in found.sentences] == [("n1",), ("n2",), ("n1",)]
    assert [row.unknown for row in found.sentences] == [(), (), ()]


async def test_a_wrong_note_costs_recall_and_precision() -> None:
    found = await citations("dry cough [2].", references={"2": "n2"})
    assert (found.recall, found.precision) == (0.0, 0.0)


async def test_notes_needed_together_are_all_needed_and_one_beside_them_is_not() -> None:
    found = await citations("dry cough and fever [n1, n2, n4].".replace("and ", ""))
    (row,) = found.sentences
    assert row.supported
    assert row.needed == ("n1", "n2")
    assert found.precision == pytest.approx(2 / 3)


async def test_two_notes_that_each_say_all_of_it_are_both_needed() -> None:
    (row,) = (await citations("dry cough [n1][n3]")).sentences
    assert row.needed == ("n1", "n3")


async def test_a_sentence_without_citation_costs_recall_and_not_precision() -> None:
    found = await citations("dry cough [n1].\nfever of 39.")
    assert (found.recall, found.precision) == (0.5, 1.0)


async def test_a_number_that_names_nothing_is_unknown_and_not_precise() -> None:
    found = await citations("dry cough [7] [n1].")
    (row,) = found.sentences
    assert (row.documents, row.unknown, found.precision) == (("n1",), ("7",), 0.5)


async def test_marks_after_the_full_stop_belong_to_the_sentence_before() -> None:
    found = await citations("dry cough.\n[n1]\nfever of 39 [n2].")
    assert [(row.start, row.end, row.documents) for row in found.sentences] == [
        (0, 15, ("n1",)),
        (16, 33, ("n2",)),
    ]


async def test_neither_the_texts_own_document_nor_an_ai_authored_one_bears_it_out() -> None:
    facts = [
        fact("own", "dry cough", document_id="own"),
        fact("ai", "dry cough", document_id="ai", author_category=AuthorCategory.AI),
        fact("x", "other", document_id="x"),
    ]
    found = await citations("dry cough [own].\ndry cough [ai].", facts, document_id="own")
    assert found.recall == 0.0


async def test_no_citations_have_no_precision_and_a_text_that_says_nothing_no_recall() -> None:
    assert (await citations("dry cough.")).precision is None
    assert (await citations("Well?")).recall is None


async def test_the_mark_is_not_judged_as_a_number_of_the_patients() -> None:
    bench = Bench()
    await bench.add(fact("f1", "fever of 39"))
    bench.judge = judge = WordJudge()
    bench.verifier = replace(bench.verifier, judge=judge)
    sheet = await bench.verify("fever of 39 [12].", references={"12": "d1"})
    assert sheet.judged[0].verdict == "supported"
    assert sheet.judged[0].proposition.text == "fever of 39 [12]."
    assert sheet.citations is None  # not asked for


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Takes aspirin [1].", "Takes aspirin."),
        ("Takes aspirin [1, 2] daily [note-7].", "Takes aspirin daily."),
        ("Takes aspirin (n9).", "Takes aspirin."),
        ("Takes aspirin (81 mg) [illegible word].", "Takes aspirin (81 mg) [illegible word]."),
        ("No  marks  here", "No  marks  here"),
    ],
)
def test_what_is_left_without_marks(text: str, left: str) -> None:
    assert without_markers(text, {"n9": "n9"}) == left


REFERENCES = {"1": "n1", "2": "n2", "3": "n3"}


@pytest.mark.parametrize(
    ("mark", "documents"),
    [
        ("[1]", ("n1",)),
        ("[1, 3]", ("n1", "n3")),
        ("[1; 2]", ("n1", "n2")),
        ("[1 and 2]", ("n1", "n2")),
        ("[1][2]", ("n1", "n2")),
        ("[1-3]", ("n1", "n2", "n3")),
        ("[1\u20133]", ("n1", "n2", "n3")),
        ("[^1]", ("n1",)),
        ("[Note 1]", ("n1",)),
        ("[source: n2]", ("n2",)),
        ("(see n2)", ("n2",)),
        ("(1)", ("n1",)),
        ("\u30101\u3011", ("n1",)),
        ("<sup>2</sup>", ("n2",)),
        ("\u00b2", ("n2",)),
        ("[DocumentReference/n1]", ("n1",)),
        ("[the note](DocumentReference/n1)", ("n1",)),
    ],
)
async def test_every_form_of_a_citation_is_read(mark: str, documents: tuple[str, ...]) -> None:
    (row,) = (await citations(f"dry cough {mark}.", references=REFERENCES)).sentences
    assert (row.documents, row.unknown) == (documents, ())


@pytest.mark.parametrize(
    "prose",
    ["(82)", "kg/m\u00b2", "10\u00b3", "[4-11]", "[sic]", "(10/12)", "[illegible]", "[COVID-19]"],
)
async def test_what_is_no_citation_is_prose(prose: str) -> None:
    found = await citations(f"dry cough {prose} [n1].", references=REFERENCES)
    (row,) = found.sentences
    assert (row.documents, row.unknown, found.precision is not None) == (("n1",), (), True)


@pytest.mark.parametrize("mark", ["[9]", "[n9]", "[DocumentReference/n9]", "[4]"])
async def test_a_note_that_nobody_knows_counts_against_precision(mark: str) -> None:
    references = {**REFERENCES, "4": "gone"}
    found = await citations(f"dry cough [n1] {mark}.", references=references)
    (row,) = found.sentences
    assert (len(row.unknown), found.precision) == (1, 0.5)


async def test_only_an_unknown_note_is_no_support() -> None:
    found = await citations("dry cough [n99].")
    assert (found.recall, found.precision) == (0.0, 0.0)


async def test_a_sentence_that_states_nothing_needs_no_citation() -> None:
    found = await citations("dry cough [n1].\nis there fever?")
    assert (len(found.sentences), found.recall) == (1, 1.0)


async def test_a_mark_alone_on_its_line_stays_with_its_sentence_whatever_it_is_taken_for() -> None:
    found = await citations("dry cough.\n[^1]", references=REFERENCES)
    (row,) = found.sentences
    assert row.documents == ("n1",)

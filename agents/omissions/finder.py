"""Claim recall: the chart's salient facts held against the text, as propositions against facts.

The roles change: a fact of the chart is what is judged, and the text's propositions are what it is
judged by. A fact that one of them states by name (`coverage`), or that they entail, is covered. At
most 120 judge calls a text (six kinds of twenty), and none for what is stated by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.concurrency import map_bounded
from agents.omissions.consolidation import SalientFact
from agents.omissions.coverage import Statement, entails, naming
from agents.omissions.salient_facts import salient_facts
from agents.ports import Embedder, Embedding, FactIndex, Judge, Reranker, ShownFact
from agents.verification.judge_call import Question, ask_once
from agents.verification.query_refinement import other_terms
from agents.verification.reference_context import evidence_of
from schemas.completeness import Omission, Omissions
from schemas.propositions import Proposition
from schemas.texts import TextGenerated
from schemas.verdicts import Verdict

NEAREST = 24
"""Propositions that the reranker sees for a fact."""
SHOWN = 12
"""Those that the judge sees."""
CONCURRENT = 8


@dataclass(frozen=True)
class OmissionFinder:
    index: FactIndex
    embedder: Embedder
    reranker: Reranker
    judge: Judge

    async def find(self, text: TextGenerated, propositions: Sequence[Proposition]) -> Omissions:
        """What `text`, of which these are the propositions, leaves out of the chart."""
        salient = await salient_facts(text, self.index, self.embedder)
        statements = [Statement.of(each) for each in propositions]
        embedded = await self.embedder.embed([each.text for each in propositions])
        # A note abbreviates what a text spells out.
        asked = await self.embedder.embed([other_terms(each.statement) for each in salient.facts])

        async def check(pair: tuple[SalientFact, Embedding]) -> Omission | Verdict:
            named = naming(pair[0], statements)
            if any(entails(pair[0], each) for each in named):
                return Verdict.SUPPORTED
            nearest = _nearest(pair[1], propositions, embedded)
            return await self._check(text, pair[0], nearest, named)

        pairs = list(zip(salient.facts, asked, strict=True))
        results = await map_bounded(check, pairs, CONCURRENT)
        covered = sum(result == Verdict.SUPPORTED for result in results)
        return Omissions(
            checked=len(results),
            covered=covered,
            undecided=sum(result == Verdict.ABSTAINED for result in results),
            not_checked=salient.more,
            cut=salient.cut or salient.more > 0,
            scope=salient.scope,
            recall=covered / len(results) if results else None,
            omissions=tuple(result for result in results if isinstance(result, Omission)),
        )

    async def _check(
        self,
        text: TextGenerated,
        salient: SalientFact,
        nearest: Sequence[Proposition],
        named: Sequence[Statement],
    ) -> Omission | Verdict:
        """The omission, or `supported` where the text states it, or `abstained` where it is open.

        `named`: statements of the same thing that differ from the chart, if any.
        """
        fact, statement = salient.evidence.fact, salient.statement
        query = other_terms(statement)
        scores = await self.reranker.score(query, [each.text for each in nearest])
        ranked = sorted(zip(scores, nearest, strict=True), key=lambda pair: -pair[0])[:SHOWN]
        facts = [_as_fact(text, proposition, score) for score, proposition in ranked]
        question = Question(
            statement, facts, fact.section, abstain_below=text.settings.abstain_below
        )
        judgement = await ask_once(self.judge, question) if facts else None
        if judgement is not None and judgement.verdict == Verdict.SUPPORTED:
            return Verdict.SUPPORTED
        if facts and (judgement is None or judgement.verdict == Verdict.ABSTAINED):
            return Verdict.ABSTAINED
        cited = tuple(each.proposition.proposition_id for each in named)
        if judgement is not None and judgement.verdict == Verdict.NOT_SUPPORTED:
            cited = judgement.cited if not salient.named or named else ()
        return Omission(
            salience=salient.salience,
            coverage="otherwise" if cited else "left_out",
            propositions=cited,
            evidence=evidence_of(salient.evidence),
        )


def _nearest(
    asked: Embedding, propositions: Sequence[Proposition], embedded: Sequence[Embedding]
) -> list[Proposition]:
    near = [float(np.dot(asked.dense, each.dense)) for each in embedded]
    order = sorted(range(len(near)), key=lambda n: (-near[n], n))
    return [propositions[n] for n in order[:NEAREST]]


def _as_fact(text: TextGenerated, proposition: Proposition, score: float) -> ShownFact:
    return ShownFact(
        fact_id=proposition.proposition_id,
        text=proposition.text,
        section=proposition.section,
        note_time=text.occurred_at,
        note_type=None,
        document_id=text.text_id,
        score=score,
    )

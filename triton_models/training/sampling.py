"""Training examples drawn from items: which facts are shown, in which order, and what is asked.

Retrieval shows a judge the facts that look most like the statement, with whatever else it found,
so the views here are: all facts, the deciding ones among a few, one fact alone, and the facts
without those that decide. The first facts of an example are shown where not all fit.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from .corruptions import corrupted
from .encoding import Expand, FactText
from .items import Claim, Item, Pair
from .shorthand import plain

SUPPORTED, NOT_SUPPORTED, NOT_ADDRESSED = range(3)
IGNORED = -100


NOTHING = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Example:
    """One input with its answer, and what each fact does to the statement.

    `alone`: what the statement alone gives away; see `claim_only`.
    """

    statement: str
    facts: tuple[FactText, ...]
    label: int
    roles: tuple[int, ...]
    as_of: datetime | None = None
    alone: tuple[float, ...] = NOTHING


def stems(text: str) -> set[str]:
    """Crude word stems for ordering facts by likeness."""
    return {
        word[:5]
        for word in re.findall(r"[a-z]+|\d+(?:\.\d+)?", text.lower())
        if len(word) > 3 or word[0].isdigit()
    }


def likeness(statement: str, facts: Sequence[FactText]) -> list[float]:
    """How like the statement each fact is, by words."""
    own = stems(statement)
    return [
        len(own & there) / (len(there) + 4) ** 0.5
        for there in (stems(f"{fact.section} {fact.text}") for fact in facts)
    ]


class Sampler:
    """Draws examples from items with a fixed seed."""

    def __init__(
        self,
        seed: int,
        expand: Expand,
        *,
        expanded: float = 0.5,
        corrupt: float = 0.12,
        alone: Mapping[str, Sequence[float]] | None = None,
    ) -> None:
        self.random = random.Random(seed)
        self._expand = expand
        self._expanded = expanded
        self._corrupt = corrupt
        self._alone = alone or {}

    def _ranked(self, claim: Claim, item: Item, chosen: list[int]) -> list[int]:
        """Facts that are not needed, the most alike first, with chance."""
        scores = likeness(claim.text, item.facts)
        return sorted(chosen, key=lambda i: -scores[i] - self.random.gauss(0, 0.2))

    def _built(self, item: Item, claim: Claim, chosen: list[int], label: int) -> Example:
        use = self._expand if self.random.random() < self._expanded else plain
        as_of = None if self.random.random() < 0.1 else item.as_of
        bare = self.random.random() < 0.1
        facts, roles = [], []
        for i in chosen:
            fact = item.facts[i]
            facts.append(FactText(use(fact.text)) if bare else replace(fact, text=use(fact.text)))
            if claim.label == NOT_ADDRESSED or (claim.keys and i not in claim.keys):
                roles.append(NOT_ADDRESSED)
            else:
                roles.append(claim.label if i in claim.keys else IGNORED)
        return Example(use(claim.text), tuple(facts), label, tuple(roles), as_of)

    def example(self, item: Item, claim: Claim) -> Example:
        """One view of a claim, drawn at random; a few true ones made wrong."""
        known = tuple(self._alone.get(claim.text, NOTHING))
        return replace(self._example(item, claim), alone=known)

    def _example(self, item: Item, claim: Claim) -> Example:
        if claim.label == SUPPORTED and claim.keys and self.random.random() < self._corrupt:
            known = [item.facts[i].text for i in claim.keys]
            wrong = corrupted(claim.text, known, [f.text for f in item.facts], self.random)
            if wrong is not None:
                claim = replace(claim, text=wrong, label=NOT_SUPPORTED, kind="changed")
        everything = list(range(len(item.facts)))
        keys = [i for i in claim.keys if claim.label != NOT_ADDRESSED]
        rest = [i for i in everything if i not in keys]
        way = self.random.random()
        if way < 0.06 and keys and len(rest) > 2:
            scores = likeness(claim.text, item.facts)
            best = max(scores[i] for i in keys)
            if max(scores[i] for i in rest) < 0.7 * best:
                chosen = self._ranked(claim, item, rest)
                return self._built(item, claim, chosen, NOT_ADDRESSED)
        if way < 0.2 and (len(keys) == 1 or claim.label == NOT_ADDRESSED):
            if keys:
                return self._built(item, claim, keys, claim.label)
            scores = likeness(claim.text, item.facts)
            return self._built(item, claim, [scores.index(max(scores))], NOT_ADDRESSED)
        if way < 0.45:
            near = self._ranked(claim, item, rest)[: self.random.randint(1, 4)]
            return self._built(item, claim, keys + near, claim.label)
        if self.random.random() < 0.3 and len(rest) > 4:
            self.random.shuffle(rest)
            rest = rest[: -self.random.randint(1, len(rest) // 2)]
        return self._built(item, claim, keys + self._ranked(claim, item, rest), claim.label)

    def pair(self, pair: Pair, others: Sequence[Pair]) -> Example:
        """A public pair, sometimes among other premises."""
        lines, roles = [pair.premise], [pair.label]
        if len(pair.premise) < 300 and self.random.random() < 0.25:
            for other in self.random.sample(others, self.random.randint(1, 2)):
                place = self.random.randint(0, len(lines))
                lines.insert(place, other.premise[:300])
                roles.insert(place, NOT_ADDRESSED)
        return Example(pair.hypothesis, tuple(map(FactText, lines)), pair.label, tuple(roles))

    def claims(self, items: Sequence[Item]) -> Iterator[Example]:
        """Every claim once, then again in another view and order, without end."""
        pool = [(item, claim) for item in items for claim in item.claims]
        while True:
            self.random.shuffle(pool)
            for item, claim in pool:
                yield self.example(item, claim)

    def pairs(self, pairs: Sequence[Pair]) -> Iterator[Example]:
        """Every pair once, then again, without end."""
        order = list(pairs)
        while True:
            self.random.shuffle(order)
            for pair in order:
                yield self.pair(pair, order)

    def mixed(
        self, streams: dict[str, Iterator[Example]], shares: dict[str, float]
    ) -> Iterator[Example]:
        """Examples of all streams, drawn by share."""
        names = [name for name in streams if shares.get(name, 0) > 0]
        weights = [shares[name] for name in names]
        while True:
            yield next(streams[self.random.choices(names, weights)[0]])

"""Join candidate claims, and choose among them so that word overlap tells nothing of the label."""

import random
import re
from collections.abc import Iterable, Sequence

from .card_items import CONTRADICTED, SUPPORTED, UNADDRESSED, Claim

SHARES = {SUPPORTED: 0.5, CONTRADICTED: 0.3, UNADDRESSED: 0.2}
# upper edges of overlap bins, and how often each is asked for, alike for all labels
BINS: tuple[tuple[float, float], ...] = (
    (0.10, 0.24),
    (0.22, 0.28),
    (0.36, 0.24),
    (0.52, 0.15),
    (1.01, 0.09),
)
COMMON_TEXT = (
    "a an and are as at be been but by for from had has have he her him his in is it its of on or she that the their "
    "them then there they this to was were while which who with not no than also after before both did does"
)
COMMON = frozenset(COMMON_TEXT.split())
# how often a claim is sought among those whose sentence stands under another label elsewhere, so that
# the sentence alone does not give its label away
SHARED: dict[str, tuple[str, float]] = {
    SUPPORTED: ("unstated_detail", 0.15),
    CONTRADICTED: ("flipped_value", 0.42),
    UNADDRESSED: ("other_topic", 0.28),
}
# how often a higher overlap is asked for, as fewer such claims are at hand under these labels
LIFTED = {SUPPORTED: 0.0, CONTRADICTED: 0.08, UNADDRESSED: 0.3}
LINKS = (", and {}", ", while {}", "; {}", ", and {}", ", and in addition {}", ", whereas {}")
FRAMES = (
    "Of note, {}",
    "The notes record that {}",
    "According to the chart, {}",
    "It is documented that {}",
)


def content_words(text: str) -> frozenset[str]:
    """Return the words and numbers of a text that carry meaning."""
    return frozenset(
        word
        for word in re.findall(r"[a-z0-9.]+", text.lower())
        if word.strip(".") and word not in COMMON
    )


def overlap(claim: str, facts: frozenset[str]) -> float:
    """Return the share of the claim's content words that stand in the facts."""
    words = frozenset(word.strip(".") for word in content_words(claim))
    return len(words & facts) / max(1, len(words))


def words_of_facts(texts: Iterable[str]) -> frozenset[str]:
    """Return the content words of all facts together."""
    return frozenset(word.strip(".") for text in texts for word in content_words(text))


def lower_start(text: str, capitals: frozenset[str]) -> str:
    """Begin a sentence in lower case, unless its first word is a name or an abbreviation."""
    first = re.split(r"[^\w-]", text, maxsplit=1)[0]
    if first in capitals or any(letter.isupper() or letter.isdigit() for letter in first[1:]):
        return text
    if len(first) == 1 and first != "A":
        return text
    return text[:1].lower() + text[1:]


def join_claims(parts: Sequence[Claim], capitals: frozenset[str], rng: random.Random) -> Claim:
    """Join claims of different cards; the label follows from the parts."""
    labels = [part.label for part in parts]
    label = next((one for one in (CONTRADICTED, UNADDRESSED) if one in labels), SUPPORTED)
    text = parts[0].text.rstrip(".")
    for place, part in enumerate(parts[1:]):
        link = ", {}" if len(parts) == 3 and place == 0 else rng.choice(LINKS)
        text += link.format(lower_start(part.text.rstrip("."), capitals))
    deciding = [part for part in parts if part.label == label]
    facts = dict.fromkeys(fact for part in deciding for fact in part.facts)
    kind = "joined_" + deciding[0].kind
    return Claim(
        text + ".", label, kind, tuple(facts), frozenset().union(*(part.cards for part in parts))
    )


def _bin_of(share: float) -> int:
    """Return which overlap bin a share falls in."""
    return next(place for place, (edge, _) in enumerate(BINS) if share < edge)


class Chooser:
    """Chooses the claims of one item from all that its cards offer."""

    def __init__(
        self,
        claims: Sequence[Claim],
        facts: frozenset[str],
        capitals: frozenset[str],
        rng: random.Random,
    ) -> None:
        """Keep the claims offered, and join some of them."""
        self.rng, self.facts, self.capitals = rng, facts, capitals
        self.singles = list(claims)
        self.joined = [joined for _ in range(260) if (joined := self._join())]
        self.used: set[str] = set()
        self.texts: set[str] = set()

    def _join(self) -> Claim | None:
        """Join two or three claims of different cards, at most one of them not supported."""
        label = self.rng.choice((SUPPORTED, CONTRADICTED, UNADDRESSED))
        first = [claim for claim in self.singles if claim.label == label]
        if not first:
            return None
        parts = [self.rng.choice(first)]
        for _ in range(self.rng.choice((1, 1, 2))):
            met = frozenset().union(*(part.cards for part in parts))
            rest = [
                c
                for c in self.singles
                if c.label == SUPPORTED and not c.cards & met and c.text[:1].isupper()
            ]
            if label == CONTRADICTED and self.rng.random() < 0.15:
                rest = [c for c in self.singles if c.label == UNADDRESSED and not c.cards & met]
            if rest:
                parts.append(self.rng.choice(rest))
        if len(parts) < 2:
            return None
        self.rng.shuffle(parts)
        return join_claims(parts, self.capitals, self.rng)

    def _framed(self, claim: Claim) -> Claim:
        """At times put a frame such as "Of note" before the claim."""
        if self.rng.random() > 0.06:
            return claim
        text = self.rng.choice(FRAMES).format(lower_start(claim.text, self.capitals))
        return Claim(text, claim.label, claim.kind, claim.facts, claim.cards)

    def choose(self, label: str) -> Claim | None:
        """Choose a claim with the label, near an overlap drawn alike for every label."""
        wanted = self.rng.choices(range(len(BINS)), [share for _, share in BINS])[0]
        if self.rng.random() < LIFTED[label]:
            wanted = min(wanted + 1, len(BINS) - 1)
        pool = self.joined if self.rng.random() < 0.38 else self.singles
        fresh = [
            c
            for c in pool
            if c.label == label and c.text not in self.texts and not self._repeats(c)
        ]
        if not fresh:
            return None
        kind, often = SHARED[label]
        if self.rng.random() < often:
            fresh = [claim for claim in fresh if claim.kind.endswith(kind)] or fresh
        distances = [abs(_bin_of(overlap(claim.text, self.facts)) - wanted) for claim in fresh]
        nearest = min(distances)
        claim = self.rng.choice(
            [c for c, distance in zip(fresh, distances, strict=True) if distance == nearest]
        )
        self.texts.add(claim.text)
        self.used.update(self._parts(claim))
        return self._framed(claim)

    @staticmethod
    def _parts(claim: Claim) -> set[str]:
        """Return the pieces of a claim by which repeats are known."""
        pieces = re.split(
            r", and in addition |, and |, while |, whereas |; ", claim.text.rstrip(".").lower()
        )
        return {piece for piece in pieces if len(piece) > 25}

    def _repeats(self, claim: Claim) -> bool:
        """Say whether a piece of the claim was used before in this item."""
        return bool(self._parts(claim) & self.used)

"""Words that many scenario cards share.

Each table is a list of rows that exclude one another (left or right, one drug of a class or another).
A row has named columns; a column may hold several equal spellings, parted by ``/``,
one of which is picked each time it is written, so that a note and a claim seldom use the same one.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Rows of words that exclude one another, with the names of their columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def _table(columns: str, *rows: str) -> Table:
    """Build a table from columns parted by spaces and rows parted by bars."""
    return Table(tuple(columns.split()), tuple(tuple(row.split("|")) for row in rows))


TABLES: dict[str, Table] = {
    "side": _table("s w", "L/left/lt|left|", "R/right/rt|right|"),
    "freq": _table(
        "s w n",
        "od/daily/once daily/OD|once a day/once daily/every day|1",
        "BD/bid/b.i.d./q12h/12-hourly|twice a day/twice daily/two times a day|2",
        "TDS/tid/t.i.d./q8h/8-hourly|three times a day/three times daily|3",
        "QDS/qid/q6h/6-hourly|four times a day/four times daily|4",
    ),
    "freq12": _table(
        "s w n",
        "od/daily/once daily/OD|once a day/once daily/every day|1",
        "BD/bid/b.i.d.|twice a day/twice daily/two times a day|2",
    ),
    "sibling": _table("s w", "bro/brother|brother|", "sis/sister|sister|"),
    "parent": _table("s w", "mo/mother/mum|mother|", "fa/father/dad|father|"),
    "kin": _table(
        "s w",
        "dtr/daughter|daughter",
        "son|son",
        "niece|niece",
        "sister|sister",
        "neighbour|neighbour",
        "cousin|cousin",
    ),
    "degree": _table(
        "s w", "mild|mild/slight", "mod/moderate|moderate/middling", "severe/sev|severe/marked"
    ),
    "loop": _table(
        "g b",
        "furosemide/frusemide|Lasix",
        "bumetanide|Bumex/Burinex",
        "torsemide/torasemide|Demadex",
    ),
    "statin": _table(
        "g b",
        "atorvastatin/atorva|Lipitor",
        "rosuvastatin/rosuva|Crestor",
        "simvastatin/simva|Zocor",
        "pravastatin|Pravachol",
    ),
    "ssri": _table(
        "g b",
        "sertraline|Zoloft/Lustral",
        "citalopram|Celexa/Cipramil",
        "fluoxetine|Prozac",
        "escitalopram|Lexapro/Cipralex",
    ),
    "doac": _table(
        "g b", "apixaban/apix|Eliquis", "rivaroxaban/riva|Xarelto", "edoxaban|Lixiana/Savaysa"
    ),
    "ace": _table(
        "g b",
        "ramipril|Altace/Tritace",
        "lisinopril|Zestril/Prinivil",
        "enalapril|Vasotec/Innovace",
    ),
    "ppi": _table(
        "g b",
        "omeprazole|Prilosec/Losec",
        "pantoprazole|Protonix/Pantoloc",
        "lansoprazole|Prevacid/Zoton",
    ),
    "beta": _table(
        "g b",
        "bisoprolol/biso|Concor/Cardicor",
        "metoprolol/metop|Lopressor/Betaloc",
        "carvedilol|Coreg/Dilatrend",
    ),
    "sglt2": _table(
        "g b", "empagliflozin|Jardiance", "dapagliflozin|Forxiga/Farxiga", "canagliflozin|Invokana"
    ),
    "aed": _table(
        "g b",
        "levetiracetam|Keppra",
        "lamotrigine|Lamictal",
        "carbamazepine|Tegretol",
        "valproate|Epilim/Depakote",
    ),
    "antipsychotic": _table(
        "g b",
        "olanzapine|Zyprexa",
        "quetiapine|Seroquel",
        "risperidone|Risperdal",
        "aripiprazole|Abilify",
    ),
    "cephpen": _table(
        "g b",
        "ceftriaxone/CTX|Rocephin",
        "co-amoxiclav/amox-clav|Augmentin",
        "piperacillin-tazobactam/pip-tazo|Tazocin/Zosyn",
    ),
    "triptan": _table(
        "g b", "sumatriptan|Imitrex/Imigran", "rizatriptan|Maxalt", "zolmitriptan|Zomig"
    ),
    "opioid": _table(
        "g b", "morphine|MST/Oramorph", "oxycodone|OxyContin", "tramadol|Ultram/Zydol"
    ),
    "antiemetic": _table(
        "g b", "ondansetron|Zofran", "metoclopramide|Reglan/Maxolon", "cyclizine|Valoid"
    ),
    "glp1": _table("g b", "semaglutide|Ozempic", "dulaglutide|Trulicity", "liraglutide|Victoza"),
    "biologic": _table("g b", "adalimumab|Humira", "infliximab|Remicade", "etanercept|Enbrel"),
    "checkpoint": _table(
        "g b",
        "pembrolizumab/pembro|Keytruda",
        "nivolumab/nivo|Opdivo",
        "atezolizumab/atezo|Tecentriq",
    ),
    "lobe": _table("s w", "RUL|right upper", "RLL|right lower", "LUL|left upper", "LLL|left lower"),
    "weekday": _table(
        "s w", "Mon|Monday", "Tue/Tues|Tuesday", "Wed|Wednesday", "Thu/Thurs|Thursday", "Fri|Friday"
    ),
    "finger": _table(
        "s w", "index|index/pointing", "middle|middle/long", "ring|ring", "little|little/smallest"
    ),
}

SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
SMALL += ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]
ORDINALS += ["eleventh", "twelfth"]


def in_words(number: int) -> str:
    """Write a whole number below one hundred in words; larger ones stay in figures."""
    if number < 0 or number >= 100:
        return str(number)
    if number < 20:
        return SMALL[number]
    tens, rest = divmod(number, 10)
    return TENS[tens] + (f"-{SMALL[rest]}" if rest else "")


def as_ordinal(number: int) -> str:
    """Write first, second, third …; beyond twelfth in figures."""
    if 0 <= number < len(ORDINALS):
        return ORDINALS[number]
    ending = (
        "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"

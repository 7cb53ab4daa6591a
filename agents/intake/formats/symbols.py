"""Characters of fonts whose letters are signs: Symbol and the Wingdings.

A document that says "m" in the font Symbol means a mu: read as its letter, "75 \u00b5g" becomes "75
mg". What a font has at a place that is not in its table is never guessed: it becomes U+FFFD.

Sources: Unicode's mapping of Adobe Symbol (MAPPINGS/VENDORS/ADOBE/symbol.txt); Wingdings as in
ISO/IEC JTC1/SC2/WG2 N4384. Of the Wingdings, boxes, ticks, crosses, bullets and arrows are kept.
"""

from __future__ import annotations

_SYMBOL_LETTERS = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "\u0391\u0392\u03a7\u0394\u0395\u03a6\u0393\u0397\u0399\u03d1\u039a\u039b\u039c\u039d\u039f\u03a0"
        "\u0398\u03a1\u03a3\u03a4\u03a5\u03c2\u03a9\u039e\u03a8\u0396"
        "\u03b1\u03b2\u03c7\u03b4\u03b5\u03c6\u03b3\u03b7\u03b9\u03d5\u03ba\u03bb\u00b5\u03bd\u03bf\u03c0"
        "\u03b8\u03c1\u03c3\u03c4\u03c5\u03d6\u03c9\u03be\u03c8\u03b6",
        strict=True,
    )
)
_SYMBOL_SIGNS = {
    0x22: "\u2200", 0x24: "\u2203", 0x27: "\u220b", 0x2A: "\u2217", 0x2D: "\u2212", 0x40: "\u2245",
    0x5C: "\u2234", 0x5E: "\u22a5", 0x7E: "\u223c", 0xA0: "\u20ac", 0xA2: "\u2032", 0xA3: "\u2264",
    0xA4: "/", 0xA5: "\u221e", 0xA6: "\u0192", 0xA7: "\u2663", 0xA8: "\u2666", 0xA9: "\u2665",
    0xAA: "\u2660", 0xAB: "\u2194", 0xAC: "\u2190", 0xAD: "\u2191", 0xAE: "\u2192", 0xAF: "\u2193",
    0xB0: "\u00b0", 0xB1: "\u00b1", 0xB2: "\u2033", 0xB3: "\u2265", 0xB4: "\u00d7", 0xB5: "\u221d",
    0xB6: "\u2202", 0xB7: "\u2022", 0xB8: "\u00f7", 0xB9: "\u2260", 0xBA: "\u2261", 0xBB: "\u2248",
    0xBC: "\u2026", 0xC5: "\u2295", 0xC6: "\u2205", 0xD0: "\u2220", 0xD1: "\u2207", 0xD2: "\u00ae",
    0xD3: "\u00a9", 0xD4: "\u2122", 0xD5: "\u220f", 0xD6: "\u221a", 0xD7: "\u22c5", 0xD8: "\u00ac",
    0xD9: "\u2227", 0xDA: "\u2228", 0xDB: "\u21d4", 0xDC: "\u21d0", 0xDD: "\u21d1", 0xDE: "\u21d2",
    0xDF: "\u21d3", 0xE5: "\u2211", 0xF2: "\u222b",
}  # fmt: skip
_SYMBOL = {ord(letter): sign for letter, sign in _SYMBOL_LETTERS.items()} | _SYMBOL_SIGNS
_AS_WRITTEN = frozenset(" !#%&()+,./0123456789:;<=>?[]_{|}\t\r\n")
"""What Symbol has where ASCII has it."""
_BULLET = "\u2022"
_BULLETS = (0x6C, 0x6D, 0x6E, *range(0x73, 0x78), 0x9F, 0xA1, 0xA2, 0xA7, 0xD8)
_WINGDINGS = {
    **dict.fromkeys(_BULLETS, _BULLET),
    **dict.fromkeys((0x6F, 0x70, 0x71, 0x72, 0xA8), "[ ]"),
    **dict.fromkeys((0x78, 0xA4, 0xFB, 0xFC, 0xFD, 0xFE), "[x]"),
    **dict.fromkeys((0xDF, 0xE7), "\u2190"),
    **dict.fromkeys((0xE0, 0xE8), "\u2192"),
    **dict.fromkeys((0xE1, 0xE9), "\u2191"),
    **dict.fromkeys((0xE2, 0xEA), "\u2193"),
}
_WINGDINGS_2 = {
    0x4F: "[x]", 0x50: "[x]", 0x51: "[x]", 0x52: "[x]", 0x53: "[x]", 0x54: "[x]", 0x55: "[x]",
    0x56: "[x]", 0x2A: "[ ]", 0xA3: "[ ]", 0x30: "[ ]", 0x97: "\u2022", 0x98: "\u2022",
}  # fmt: skip
_WEBDINGS = {0x63: "[ ]", 0x61: "[x]", 0x72: "[x]", 0x67: "\u2022", 0x6E: "\u2022", 0x3D: "\u2022"}
_FONTS = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings2": _WINGDINGS_2,
    "wingdings3": {
        0x67: "\u2192",
        0x66: "\u2190",
        0x68: "\u2191",
        0x69: "\u2193",
        0x70: "\u2191",
        0x71: "\u2193",
        0x72: "\u25b2",
        0x73: "\u25bc",
    },
    "webdings": _WEBDINGS,
}
_PRIVATE = 0xF000
"""Where Word and Windows put a symbol font's 256 characters (U+F020 to U+F0FF)."""
_LOST = "\ufffd"


def symbol_font(name: str | None) -> str | None:
    """The name of the symbol font that a font's name (CSS' families too) means, or None."""
    for family in (name or "").split(","):
        plain = "".join(c for c in family.lower() if c.isalnum()).removesuffix("mt")
        plain = {"symbolps": "symbol", "standardsymbolsl": "symbol", "opensymbol": "wingdings"}.get(
            plain, plain
        )
        if plain in _FONTS:
            return plain
    return None


def of_font(text: str, font: str) -> str:
    """`text`, written in the symbol font `font`, in the characters that it shows."""
    return "".join(_shown(character, font) for character in text)


def of_private_use(text: str) -> str:
    """Private-use characters of symbol fonts whose font is not known: boxes and bullets that the
    fonts have in common, or U+FFFD."""
    if not any("\uf020" <= character <= "\uf0ff" for character in text):
        return text
    return "".join(_PRIVATE_USE.get(c, _LOST) if "\uf020" <= c <= "\uf0ff" else c for c in text)


_PRIVATE_USE = {
    **{chr(_PRIVATE + code): sign for code, sign in _SYMBOL_SIGNS.items() if code >= 0xA0},
    **{chr(_PRIVATE + code): sign for code, sign in _WINGDINGS.items() if sign in ("[ ]", "[x]")},
    **{chr(_PRIVATE + code): "\u2022" for code in (0xA7, 0xB7, 0x76, 0x6E, 0x6C, 0xD8, 0x9F)},
    **{chr(_PRIVATE + code): _LOST for code in (0xA4,)},
    "\uf06d": "\u00b5",
    "\uf044": "\u0394",
    "\uf020": " ",
}


def _shown(character: str, font: str) -> str:
    code = ord(character)
    if _PRIVATE + 0x20 <= code <= _PRIVATE + 0xFF:
        code -= _PRIVATE
    elif code > 0xFF:
        try:
            code = character.encode("cp1252")[0]
        except UnicodeError:
            return character  # a character of Unicode, whatever the font
    signs = _FONTS[font]
    if code in signs:
        return signs[code]
    if chr(code).isspace():
        return " "
    return chr(code) if font == "symbol" and chr(code) in _AS_WRITTEN else _LOST

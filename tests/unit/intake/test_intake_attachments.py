"""The kinds of attachment in FHIR-IN-THE-FIELD.md: base64 dialects, charsets, formats, absence."""

from __future__ import annotations

import base64
import codecs

import pytest

from agents.intake.charset import decode_text
from agents.intake.contents import MAX_NOTE_CHARACTERS
from agents.intake.encoding import decode_base64
from agents.intake.reasons import Disposition, Reason, RecordRejected

TEXT = (
    "Pt afebrile, WBC 9.8 – stable.\r\n\tPlan: d/c home tomorrow on cephalexin 500 mg q6h?\r\n" * 3
)
PLAIN = base64.b64encode(TEXT.encode()).decode()


def wrapped(data: str, width: int, mark: str) -> str:
    return mark.join(data[at : at + width] for at in range(0, len(data), width))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(PLAIN, id="standard"),
        pytest.param(wrapped(PLAIN, 76, "\r\n"), id="wrapped by CRLF every 76"),
        pytest.param(wrapped(PLAIN, 75, "\n"), id="wrapped inside a quad"),
        pytest.param(wrapped(PLAIN, 76, "\r\n      "), id="wrapped and indented"),
        pytest.param(wrapped(PLAIN, 64, " "), id="wrapped by spaces"),
        pytest.param(wrapped(PLAIN, 76, "&#13;\n"), id="wrapped, escaped by XML"),
        pytest.param(wrapped(PLAIN, 76, "&#xD;&#xA;"), id="wrapped, escaped by XML in hex"),
        pytest.param(wrapped(PLAIN, 76, r"\r\n"), id="wrapped, escaped by JSON twice"),
        pytest.param(wrapped(PLAIN, 76, "\\X0D\\\\X0A\\"), id="wrapped, escaped by HL7 v2"),
        pytest.param(wrapped(PLAIN, 76, "\\.br\\"), id="wrapped, lines of HL7 v2"),
        pytest.param(PLAIN.rstrip("="), id="unpadded"),
        pytest.param(PLAIN + "\n", id="newline at the end"),
        pytest.param(base64.urlsafe_b64encode(TEXT.encode()).decode(), id="URL-safe"),
        pytest.param("data:text/plain;base64," + PLAIN, id="data URI"),
        pytest.param("data:text/plain;charset=utf-8;base64," + PLAIN, id="data URI with charset"),
    ],
)
def test_every_base64_dialect_gives_the_same_text(attach, read_one, data):
    assert read_one(attach(data)).note.text == TEXT


def test_url_safe_letters_are_what_this_file_tests():
    assert {"-", "_"} & set(base64.urlsafe_b64encode("ÿÿÿ>>>???".encode("latin-1")).decode())
    assert decode_base64("____") == b"\xff\xff\xff"
    assert decode_base64("-_-_") == base64.b64decode("+/+/")


def test_a_data_uri_without_base64_is_percent_encoded_text():
    assert decode_base64("data:text/plain,Na%20138") == b"Na 138"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("%%%2@()()", id="not base64 at all"),
        pytest.param("aGVsbG8=aGVsbG8=", id="padding inside"),
        pytest.param("aGVsbG8=" + "A", id="one letter too many"),
        pytest.param("Patient seen and examined today", id="prose instead of base64"),
        pytest.param("aGVsbG8é", id="a letter outside ASCII"),
        pytest.param(17, id="a number"),
        pytest.param({"value": "aGVsbG8="}, id="an object"),
        pytest.param("A", id="a single letter"),
    ],
)
def test_bad_base64_is_a_dead_letter_and_never_a_guess(attach, read_one, data):
    reading = read_one(attach(data))
    assert (reading.outcome, reading.reason) == (Disposition.DEAD_LETTER, Reason.BAD_BASE64)


NOTE = "Größe 180 cm, Temp 38,5 °C – naïve"


@pytest.mark.parametrize(
    ("raw", "declared", "charset"),
    [
        pytest.param(NOTE.encode(), "", "utf-8", id="UTF-8 undeclared"),
        pytest.param(NOTE.encode(), "; charset=iso-8859-1", "utf-8", id="UTF-8 that says Latin-1"),
        pytest.param(codecs.BOM_UTF8 + NOTE.encode(), "", "utf-8", id="UTF-8 with a mark"),
        pytest.param(NOTE.encode("utf-16"), "", "utf-16-le", id="UTF-16 with a mark"),
        pytest.param(NOTE.encode("utf-16-le"), "", "utf-16-le", id="UTF-16 little-endian, no mark"),
        pytest.param(NOTE.encode("utf-16-be"), "", "utf-16-be", id="UTF-16 big-endian, no mark"),
        pytest.param(NOTE.encode("cp1252"), "", "cp1252", id="Windows-1252 undeclared"),
        pytest.param(NOTE.encode("cp1252"), "; charset=utf-8", "cp1252", id="1252 that says UTF-8"),
        pytest.param(NOTE.encode("cp1252"), "; charset=latin1", "cp1252", id="1252, says Latin-1"),
        pytest.param(NOTE.encode("cp1252"), "; charset=US-ASCII", "cp1252", id="1252, says ASCII"),
        pytest.param(NOTE.encode("cp1252"), "; charset=nonsense-8", "cp1252", id="unknown charset"),
        pytest.param(NOTE.encode("cp1252"), '; charset="\x00"', "cp1252", id="charset with a NUL"),
        pytest.param(NOTE.encode("cp1252"), "; charset=base64", "cp1252", id="charset is a codec"),
        pytest.param(NOTE.encode("cp1252"), "; charset=punycode", "cp1252", id="charset is IDNA's"),
    ],
)
def test_text_is_read_in_the_charset_it_is_in(attach, read_one, raw, declared, charset):
    reading = read_one(attach(raw, "text/plain" + declared))
    assert (reading.note.text, reading.charset) == (NOTE, charset)


def test_a_declared_charset_counts_where_utf8_fails(attach, read_one):
    note = "Больной поступил с жалобами"
    reading = read_one(attach(note.encode("koi8-r"), 'text/plain; charset="KOI8-R"'))
    assert (reading.note.text, reading.charset) == (note, "koi8-r")


@pytest.mark.parametrize(
    ("charset", "declared"),
    [("utf-16-le", "utf-16le"), ("utf-16-le", "UTF-16"), ("utf-16-be", "utf-16"),
     ("utf-16-be", "utf-16be")],
)  # fmt: skip
def test_utf16_of_another_script_counts_where_it_is_declared(attach, read_one, charset, declared):
    note = "Больной поступил с жалобами на кашель. Т 38,5."
    reading = read_one(attach(note.encode(charset), f"text/plain; charset={declared}"))
    assert (reading.note.text, reading.charset) == (note, charset)


def test_text_of_single_bytes_that_says_utf16_is_what_it_is(attach, read_one):
    # Of an even number of bytes, the last would be characters of UTF-16.
    for note in (NOTE, "Temp 38 °C", "Temp 38,5 °C"):
        for raw in (note.encode(), note.encode("cp1252")):
            assert read_one(attach(raw, "text/plain; charset=utf-16")).note.text == note


@pytest.mark.parametrize(
    ("markup", "charset"),
    [
        pytest.param(
            '<?xml version="1.0" encoding="ISO-8859-2"?><ClinicalDocument><section><text>{}</text>'
            "</section></ClinicalDocument>",
            "iso8859-2",
            id="XML",
        ),
        pytest.param(
            '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1250">'
            "</head><body>{}</body></html>",
            "cp1250",
            id="HTML 4",
        ),
        pytest.param('<html><meta charset="utf-8"><body>{}', "utf-8", id="HTML 5"),
        pytest.param('<html><meta charset="no-such"><body>{}', "utf-8", id="unknown"),
    ],
)
def test_a_charset_that_the_document_itself_declares(attach, read_one, markup, charset):
    note = "Gorączka, kaszel od środy"
    reading = read_one(attach(markup.format(note).encode(charset), "text/html"))
    assert (reading.note.text, reading.charset) == (note, charset)


def test_what_is_declared_beside_the_bytes_counts_before_what_stands_in_them(attach, read_one):
    markup = '<html><meta charset="windows-1252"><body>Жалобы: кашель</body></html>'
    reading = read_one(attach(markup.encode("cp1251"), "text/html; charset=windows-1251"))
    assert reading.note.text == "Жалобы: кашель"


def test_bytes_that_no_charset_has_do_not_raise():
    assert decode_text(b"ok \x81\x8d", "utf-8") == ("ok ��", "cp1252")
    assert decode_text(b"\xff\xfeA", None)[1] == "utf-16-le"  # an odd number of bytes


def test_text_stays_exactly_as_decoded_so_that_offsets_point_into_it(attach, read_one):
    note = "  HPI:\r\n\r\nPt c/o SOB.\n\n\tLabs:\fNa 138\n "
    assert read_one(attach(note.encode())).note.text == note


def test_escapes_that_an_engine_left_in_from_hl7_v2(attach, read_one):
    note = r"Labs:\.br\Na 138\.BR\A\T\O x3, 10\S\3, C:\E\x \N\ \H\y"
    text = read_one(attach(note.encode())).note.text
    assert text == "Labs:\nNa 138\nA&O x3, 10^3, C:\\x  y"
    alone = r"Share is \\srv\T\E\notes"
    assert read_one(attach(alone.encode())).note.text == alone


def test_each_control_character_becomes_one_space(attach, read_one):
    note = "Na 138 mmol/l\0K 4.1 mmol/l\x0bCl 101 mmol/l" + " stable" * 20
    assert read_one(attach(note.encode())).note.text == note.replace("\0", " ").replace(
        "\x0b", "\n"
    )


@pytest.mark.parametrize("content_type", [None, "ASCII Text", "application/octet-stream", "TEXT"])
def test_content_type_is_only_a_hint_and_text_is_taken(attach, read_one, content_type):
    assert read_one(attach(b"Na 138", content_type)).note.text == "Na 138"


@pytest.mark.parametrize(
    ("raw", "content_type", "named"),
    [
        pytest.param(b"PK\x03\x04....", "application/msword", "zip", id="docx"),
        pytest.param(b"<?xml version='1.0'?><Claim/>", "text/xml", "XML, but no C-CDA", id="XML"),
        pytest.param(b'{"a": 1}', "application/fhir+json", "json", id="FHIR JSON"),
        pytest.param(b"\x89PNG\r\n", "image/png", "image", id="image"),
        pytest.param(bytes(range(256)) * 4, "text/plain", "binary", id="binary that says text"),
    ],
)
def test_what_is_not_text_is_skipped_and_named(attach, read_one, raw, content_type, named):
    reading = read_one(attach(raw, content_type))
    assert (reading.outcome, reading.reason) == (
        Disposition.SKIPPED,
        Reason.UNSUPPORTED_CONTENT_TYPE,
    )
    assert f" {named}." in reading.detail


def test_a_less_than_sign_does_not_make_text_html(attach, read_one):
    assert read_one(attach(b"<5 WBC per hpf, <1% blasts")).note.text.startswith("<5 WBC")


@pytest.mark.parametrize(
    ("attachment", "reason"),
    [
        pytest.param({"contentType": "text/plain"}, Reason.NO_ATTACHMENT, id="only a type"),
        pytest.param({"creation": "2024-01-01"}, Reason.NO_ATTACHMENT, id="only a creation"),
        pytest.param({"data": ""}, Reason.NO_TEXT, id="empty data"),
        pytest.param({"data": None}, Reason.NO_TEXT, id="null data"),
        pytest.param({"data": base64.b64encode(b" \r\n\t\0").decode()}, Reason.NO_TEXT, id="blank"),
        pytest.param(
            {"_contentType": {"extension": []}, "_data": {"extension": [{"valueCode": "masked"}]}},
            Reason.NO_TEXT,
            id="masked with data-absent-reason",
        ),
        pytest.param({"url": "Binary/1"}, Reason.URL_ONLY, id="relative url"),
        pytest.param({"url": "https://h/fhir/Binary/1", "size": 9}, Reason.URL_ONLY, id="url"),
    ],
)
def test_an_attachment_without_data_is_a_skip_that_says_why(document, read_one, attachment, reason):
    document["content"] = [{"attachment": attachment}]
    reading = read_one(document)
    assert (reading.outcome, reading.reason) == (Disposition.SKIPPED, reason)


@pytest.mark.parametrize("content", [None, [], {}, [{}], [None], "text", [{"attachment": None}]])
def test_content_that_holds_no_attachment_is_a_skip(document, read_one, content):
    document["content"] = content
    assert read_one(document).reason is Reason.NO_ATTACHMENT


def test_size_and_hash_that_are_wrong_reject_nothing(document, read_one):
    document["content"][0]["attachment"] |= {"size": 100, "hash": "0123abcd"}
    assert read_one(document).outcome is Disposition.ACCEPTED


def test_of_several_formats_the_readable_one_is_taken(document, read_one):
    document["content"].insert(
        0, {"attachment": {"contentType": "application/pdf", "url": "https://h/Binary/1"}}
    )
    assert read_one(document).note.text == "Pt c/o SOB. BP 120/80."


def test_of_several_formats_none_readable_the_damage_is_reported(document, read_one):
    document["content"] = [
        {"attachment": {"url": "https://h/Binary/1"}},
        {"attachment": {"data": "%%%"}},
    ]
    assert read_one(document).reason is Reason.BAD_BASE64


def test_a_note_beyond_the_limit_is_a_dead_letter(attach, read_one):
    reading = read_one(attach(b"a" * (MAX_NOTE_CHARACTERS + 1)))
    assert (reading.outcome, reading.reason) == (Disposition.DEAD_LETTER, Reason.NOTE_TOO_LARGE)


def test_refusals_carry_no_content():
    with pytest.raises(RecordRejected) as caught:
        decode_base64("Mrs Example has scabies!")
    assert "Example" not in f"{caught.value} {caught.value.detail}"


@pytest.mark.parametrize(
    "inner",
    [
        pytest.param(TEXT.encode(), id="text"),
        pytest.param(b"<html><body>" + TEXT.encode() + b"</body></html>", id="html"),
        pytest.param(rb"{\rtf1 Pt afebrile, WBC 9.8 and stable, plan home.}", id="rtf"),
    ],
)
@pytest.mark.parametrize("width", [60, 75, 10_000])
def test_what_was_encoded_twice_is_decoded_twice(attach, read_one, inner, width):
    again = wrapped(base64.b64encode(inner).decode(), width, "\r\n")
    reading = read_one(attach(again.encode(), "text/plain"))
    assert reading.note.text.startswith("Pt afebrile, WBC 9.8")
    assert reading.format.startswith("base64+")


@pytest.mark.parametrize(
    "note", ["Unremarkable", "A" * 400, "abcd" * 20, "DNR/DNI/" * 8, "Homeo" * 12]
)
def test_a_word_is_no_base64(attach, read_one, note):
    reading = read_one(attach(note.encode(), "text/plain"))
    assert (reading.note.text, reading.format) == (note, "text")


def test_more_attachments_than_a_note_has_formats_are_not_looked_at(document, read_one):
    scan = {"attachment": {"data": base64.b64encode(b"\x89PNG").decode()}}
    document["content"] = [scan] * 31 + document["content"]
    assert read_one(document).attachment == 31
    document["content"] = [scan] * 32 + document["content"]
    assert read_one(document).reason is Reason.UNSUPPORTED_CONTENT_TYPE

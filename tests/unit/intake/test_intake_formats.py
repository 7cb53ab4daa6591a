"""HTML, RTF, C-CDA and gzip: the text a reader sees, and the bounds on hostile ones."""

from __future__ import annotations

import base64
import gzip
import zlib
from contextlib import suppress

import orjson
import pytest

from agents.intake.encoding import MAX_UNPACKED_BYTES
from agents.intake.formats.html import html_to_text
from agents.intake.formats.pdf import pdf_to_text
from agents.intake.formats.rtf import rtf_to_text
from agents.intake.reasons import Disposition, Reason, RecordRejected
from agents.intake.receive import Intake

CDA = '<ClinicalDocument xmlns="urn:hl7-org:v3"><component>{}</component></ClinicalDocument>'
NON_XML = CDA.format('<nonXMLBody><text mediaType="{}" representation="B64">{}</text></nonXMLBody>')


def section(title: str, text: str, more: str = "") -> str:
    body = f"<title>{title}</title><text>{text}</text>{more}"
    return f"<component><section>{body}</section></component>"


def cda(*sections: str) -> bytes:
    return CDA.format(f"<structuredBody>{''.join(sections)}</structuredBody>").encode()


# --- HTML


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        pytest.param("<p>Na</p><p>138</p>", "Na\n138", id="paragraphs are lines"),
        pytest.param("a<br>b<br/>c", "a\nb\nc", id="line breaks"),
        pytest.param("a<div><div>b</div></div>c", "a\nb\nc", id="blocks in blocks are one break"),
        pytest.param("  a \n\t b&nbsp;c ", "a b c", id="white space says only that there is some"),
        pytest.param("<b>Na</b> <i>138</i>", "Na 138", id="inline elements keep their space"),
        pytest.param("un<b>re</b>markable", "unremarkable", id="inline elements add none"),
        pytest.param("<h2>Labs</h2>Na 138", "Labs\nNa 138", id="a heading is a line"),
        pytest.param("x<h2>Labs</h2>y", "x\n\nLabs\ny", id="a blank line before a heading"),
        pytest.param(
            "<table><tr><th>Na<th>K</tr><tr><td>138</td><td>4.1</td></tr></table>",
            "Na K\n138 4.1",
            id="cells are kept apart and rows are lines",
        ),
        pytest.param("<ul><li>a<li>b</ul>c", "- a\n- b\nc", id="items that nothing closes"),
        pytest.param("<ol><li><p>a</p></li><li>b</li></ol>", "1. a\n2. b", id="numbered items"),
        pytest.param("<ul><li>a<ol><li>b</ol><li>c</ul>", "- a\n1. b\n- c", id="nested lists"),
        pytest.param("<pre>Na  138\nK  4.1</pre>", "Na  138\nK  4.1", id="verbatim text"),
        pytest.param("WBC 9.8 x10<sup>3</sup>/uL", "WBC 9.8 x10^3/uL", id="an exponent"),
        pytest.param("H<sub>2</sub>O, 1<sup>st</sup>", "H2O, 1st", id="other raised text"),
        pytest.param("&lt;5 &amp; &gt;3 &#176;C", "<5 & >3 °C", id="entities"),
        pytest.param("a<!-- b -->c", "ac", id="comments"),
        pytest.param("a<script>b()</script><style>c{}</style>", "a", id="scripts and styles"),
        pytest.param("<head><title>b</title></head>a", "a", id="the head"),
        pytest.param('a<p hidden>b</p><p style="DISPLAY : none">c</p>d', "a\nd", id="hidden"),
        pytest.param("on <del>warfarin</del> <s>ASA</s> apixaban", "on apixaban", id="struck out"),
        pytest.param("a<b>c", "ac", id="elements that nothing closes"),
        pytest.param("a</div></p>b", "a\nb", id="ends that nothing opened"),
        pytest.param(
            "<input type=checkbox checked>Smoker <input type='radio'>Alcohol",
            "[x] Smoker [ ] Alcohol",
            id="boxes, checked or not",
        ),
        pytest.param(
            "Temp<input value='37.1'>C<input type=hidden value=b><input type=submit value=c>",
            "Temp 37.1 C",
            id="fields of a form",
        ),
        pytest.param(
            "Plan:<textarea>home\n  today</textarea><select><option>a<option selected>b</select>",
            "Plan:\nhome\n  today\nb",
            id="areas and choices of a form",
        ),
        pytest.param("a<img src=x>b", "a b", id="a picture between words"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_html_reads_as_it_looks(markup, text):
    assert html_to_text(markup) == text


def test_html_is_taken_by_its_bytes_or_its_type(attach, read_one):
    by_bytes = read_one(attach(b"<html><body>Na <b>138</b></body></html>", "text/plain"))
    assert (by_bytes.note.text, by_bytes.format) == ("Na 138", "html")
    assert read_one(attach(b"BP &lt; 120", "text/html")).note.text == "BP < 120"


def test_xhtml_with_an_empty_title_keeps_its_body(attach, read_one):
    markup = b"""<?xml version="1.0"?><!DOCTYPE html>
    <html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>Na<br/>138</body></html>"""
    assert read_one(attach(markup, "application/xhtml+xml")).note.text == "Na\n138"


@pytest.mark.parametrize("declaration", ["", '<?xml version="1.0"?><!DOCTYPE html>'])
def test_xhtml_keeps_its_body_and_the_characters_that_html_names(attach, read_one, declaration):
    markup = f"""{declaration}<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>
    <body><p>Na&nbsp;138, 38&deg;C, K &lt; 4 &amp; stable</p></body></html>"""
    reading = read_one(attach(markup.encode(), "application/xhtml+xml"))
    assert reading.note.text == "Na 138, 38°C, K < 4 & stable"


def test_plain_text_that_says_html_keeps_its_lines(attach, read_one):
    note = "Labs:\nNa 138\nK &lt; 4&nbsp;mmol/l\n\nTemp <38"
    reading = read_one(attach(note.encode(), "text/html"))
    assert reading.note.text == "Labs:\nNa 138\nK < 4 mmol/l\n\nTemp <38"


@pytest.mark.parametrize("note", ["<p 0.05 was met.\nK 4.1", "<a minute\nof apnea"])
def test_plain_text_that_begins_with_less_than_is_no_html(attach, read_one, note):
    reading = read_one(attach(note.encode(), "text/plain"))
    assert (reading.note.text, reading.format) == (note, "text")


@pytest.mark.parametrize(
    "markup",
    ["Plan:<br/>Home.<br>", "<strong>Plan:</strong><br>Home.", "Plan:</p>\n<P>Home.</P>\n"],
)
def test_html_that_says_plain_text_is_read_as_it_looks(attach, read_one, markup):
    reading = read_one(attach(markup.encode(), "text/plain"))
    assert (reading.note.text, reading.format) == ("Plan:\nHome.", "html")


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
@pytest.mark.parametrize(
    "markup",
    [
        "&lt;p&gt;Na 138&lt;/p&gt;&lt;p&gt;K &amp;lt; 4&lt;/p&gt;",
        "<div>&lt;p&gt;Na 138&lt;/p&gt;&lt;p&gt;K &amp;lt; 4&lt;/p&gt;</div>",
    ],
)
def test_html_that_was_escaped_once_too_often(attach, read_one, kind, markup):
    assert read_one(attach(markup.encode(), kind)).note.text == "Na 138\nK < 4"


def test_plain_text_that_speaks_of_tags_keeps_its_lines(attach, read_one):
    note = "Seen today.\nPortal shows <br> and </p> in\nthe old letter.\nNa 138\nK 4.1\n"
    reading = read_one(attach(note.encode(), "text/plain"))
    assert (reading.note.text, reading.format) == (note, "text")


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "end",
    [b"x", b"<ClinicalDocument><section><text>x</text></section></ClinicalDocument>", b"<p>x</p>"],
)
def test_comments_before_the_root_are_read_once(attach, read_one, end):
    """Two dozen of them took a minute, each more twice as long, and no other note went on."""
    raw = b"<!-- header --><!----> <?xml-stylesheet?> " * 60 + end
    assert "x" in read_one(attach(raw, "text/plain")).note.text


@pytest.mark.timeout(20)
def test_a_long_style_is_read_once():
    style = "text-decoration" * 50_000
    assert html_to_text(f'<p style="{style}">Na 138</p>') == "Na 138"


def test_html_without_words_is_no_text(attach, read_one):
    markup = b"<html><body><img src='x'><p> </p></body></html>"
    assert read_one(attach(markup, "text/html")).reason is Reason.NO_TEXT


@pytest.mark.parametrize(
    "markup",
    [
        pytest.param("<div>" * 100_000 + "Na 138" + "</div>" * 100_000, id="100,000 nested"),
        pytest.param("<b>" * 100_000 + "Na 138", id="100,000 open"),
        pytest.param("<b></i>" * 100_000 + "Na 138", id="ends of another kind"),
        pytest.param("Na 138" + "<a" * 200_000, id="tags that never end"),
        pytest.param("Na 138" + "<!--" * 200_000, id="comments that never end"),
        pytest.param(
            "Na 138" + "".join(f"<p><font a={n}></p>" for n in range(5000)), id="reopened fonts"
        ),
        pytest.param("Na 138" + "<table>" * 5000, id="nested tables"),
    ],
)
@pytest.mark.timeout(60)
def test_hostile_html_ends_with_its_words(markup):
    assert "Na 138" in html_to_text(markup)


# --- RTF


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param(rb"{\rtf1 Na 138\par K 4.1\line ok}", "Na 138\nK 4.1\nok", id="lines"),
        pytest.param(rb"{\rtf1\trowd Na\cell 138\cell\row K\cell 4\cell\row}", "Na 138\nK 4"),
        pytest.param(
            rb"{\rtf1 on {\v secret }{\strike ASA }{\deleted VKA }apixaban}", "on apixaban"
        ),
        pytest.param(rb"{\rtf1 a\v b\v0 c\strike d\plain e}", "ace", id="runs taken back"),
        pytest.param(rb"{\rtf1{\*\generator x;}{\info{\title t}}Na}", "Na", id="no text"),
        pytest.param(rb"{\rtf1 caf\'e9 \u8211? 38 \u176\'b0C}", "café – 38 °C", id="characters"),
        pytest.param(rb"{\rtf1 \u-10179?\u-8704?}", "\U0001f600", id="a surrogate pair"),
        pytest.param(rb"{\rtf1\uc2 \u233 ??x\uc0\u233 y}", "éxéy", id="fallbacks skipped"),
        pytest.param(rb"{\rtf1\mac caf\'8e}", "café", id="code page of a Mac"),
        pytest.param(rb"{\rtf1\pc caf\'82}", "café", id="code page of DOS"),
        pytest.param(
            rb"{\rtf1 10{\super 3}/uL, 10\super -3\nosupersub 2, 1{\super st}, {\super 2}, "
            rb"a\super\sub 3}",
            "10^3/uL, 10^-32, 1st, 2, a3",
            id="exponents",
        ),
        pytest.param(rb"{\rtf1\ansicpg1251 \'cd\'e0}", "На", id="code page"),
        pytest.param(
            rb"{\rtf1{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}\f1 \'cd\'e0\f0 \'e9}",
            "Наé",
            id="charset of the font",
        ),
        pytest.param(b"{\\rtf1 na\xc3\xafve}", "naïve", id="raw UTF-8"),
        pytest.param(b"{\\rtf1 na\xefve}", "naïve", id="raw Windows-1252"),
        pytest.param(rb"{\rtf1 a{\pict\bin3 }}}}b\{c\}}", "ab{c}", id="binary picture"),
        pytest.param(rb"{\rtf1 a}} b", "a b", id="a brace too many loses nothing"),
        pytest.param(rb"{\rtf1 a} {\rtf1 b}", "a b", id="two documents in one"),
        pytest.param(rb"{\rtf1 cut o", "cut o", id="cut off"),
        pytest.param(b"{\\rtf1 a}\0\0\r\n", "a", id="NULs behind"),
        pytest.param(rb"{\rtf1 opt\-ional\_x\~y}", "optional-x y", id="hyphens and spaces"),
    ],
)
def test_rtf_reads_as_it_looks(raw, text):
    assert rtf_to_text(raw) == text


@pytest.mark.parametrize(
    "raw",
    [
        rb"{\rtf1 {\*\generator x; Na 138\par K 4.1}",
        rb"{\rtf1{\fonttbl{\f0 Arial;}\pard Na 138\par}",
        rb"{\rtf1{\colortbl;\red0\pard Na 138\par}",
    ],
)
def test_rtf_that_lacks_a_brace_is_damage_and_not_silence(attach, read_one, raw):
    reading = read_one(attach(raw, "text/rtf"))
    assert (reading.outcome, reading.reason) == (
        Disposition.DEAD_LETTER,
        Reason.DAMAGED_ATTACHMENT,
    )


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"{\\rtf1" + b"{" * 300_000, id="nested groups"),
        pytest.param(b"{\\rtf1 " + b"\\'e9" * 300_000 + b"}", id="bytes"),
        pytest.param(b"{\\rtf1{\\field{\\*\\fldinst{" + b'HYPERLINK "' * 100_000, id="links"),
        pytest.param(b"{\\rtf1\\bin9999999999 x}", id="binary beyond the end"),
        pytest.param(b"{\\rtf1\\u99999999\\uc-5\\u\\", id="numbers out of range"),
    ],
)
@pytest.mark.timeout(60)
def test_hostile_rtf_ends(raw):
    with suppress(RecordRejected):
        assert isinstance(rtf_to_text(raw), str)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"\r\n  " + rb"{\rtf1 Na 138}", id="white space before it"),
        pytest.param(r"{\rtf1 Na 138}".encode("utf-16"), id="UTF-16"),
        pytest.param(b"\xef\xbb\xbf" + rb"{\rtf1 Na 138}", id="byte order mark"),
    ],
)
def test_rtf_is_told_behind_what_may_stand_before_it(attach, read_one, raw):
    reading = read_one(attach(raw, "text/plain"))
    assert (reading.note.text, reading.format) == ("Na 138", "rtf")


# --- MIME


def mime(*parts: bytes, boundary: bytes = b"=_b", end: bytes = b"\r\n") -> bytes:
    head = b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="' + boundary + b'"\n\n'
    body = b"".join(b"--" + boundary + b"\n" + part + b"\n" for part in parts)
    return (head + body + b"--" + boundary + b"--\n").replace(b"\n", end)


PLAIN = b"Content-Type: text/plain; charset=windows-1252\n\nNa 138, 38\xb0C"
MARKUP = b"Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>Na=20139</p>"
FORWARDED = b"Content-Type: message/rfc822\nContent-Disposition: attachment\n\n"
BLANK = b"Content-Type: text/plain\n\n \n"
PICTURE = b"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo="
ATTACHED = b"Content-Type: text/plain\nContent-Disposition: attachment\n\nNa 140"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param(mime(MARKUP, PLAIN), "Na 138, 38°C", id="text before html"),
        pytest.param(mime(MARKUP, PICTURE, end=b"\n"), "Na 139", id="a web archive"),
        pytest.param(mime(ATTACHED, MARKUP), "Na 139", id="not what is attached to it"),
        pytest.param(
            mime(PLAIN, PICTURE, PLAIN), "Na 138, 38°C\nNa 138, 38°C", id="around a picture"
        ),
        pytest.param(
            mime(FORWARDED + mime(PLAIN, boundary=b"=_c", end=b"\n"), MARKUP),
            "Na 139",
            id="nor an attached message",
        ),
        pytest.param(mime(BLANK, MARKUP), "Na 139", id="html beside a text without words"),
        pytest.param(
            mime(mime(PLAIN, boundary=b"=_c", end=b"\n"), PICTURE), "Na 138, 38°C", id="nested"
        ),
        pytest.param(
            b"From: a@b.example\nMIME-Version: 1.0\nContent-Type: text/plain\n"
            b"Content-Transfer-Encoding: base64\n\nTmEgMTM4\n",
            "Na 138",
            id="of one part",
        ),
        pytest.param(
            b"X-Signature: x\n" * 150
            + b"Received: "
            + b"x" * 5000
            + b"\n"
            + mime(PLAIN, end=b"\n"),
            "Na 138, 38°C",
            id="behind what relays and signatures put before it",
        ),
    ],
)
@pytest.mark.parametrize("kind", ["message/rfc822", "text/plain"])
def test_of_a_mime_message_the_part_that_is_its_text_is_read(attach, read_one, raw, text, kind):
    reading = read_one(attach(raw, kind))
    assert reading.note.text.strip() == text
    assert reading.format.startswith("mime+")


def test_a_mime_message_without_text_is_named(attach, read_one):
    assert "no part that is text" in read_one(attach(mime(PICTURE), "message/rfc822")).detail


@pytest.mark.timeout(30)
def test_a_mime_message_that_nests_without_end_is_damage(attach, read_one):
    head = b"MIME-Version: 1.0\n"
    raw = head + b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(5000)
    )
    assert read_one(attach(raw, "message/rfc822")).reason in (
        Reason.DAMAGED_ATTACHMENT,
        Reason.UNSUPPORTED_CONTENT_TYPE,
    )


@pytest.mark.timeout(60)
def test_a_mime_message_of_many_lines_in_many_parts_is_damage(attach, read_one):
    nested = b"".join(
        b"--%d\nContent-Type: multipart/mixed; boundary=%d\n\n" % (n, n + 1) for n in range(100)
    )
    head = b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=0\n\n"
    reading = read_one(attach(head + nested + b"a\n" * 4_000_000, "message/rfc822"))
    assert reading.reason is Reason.DAMAGED_ATTACHMENT


def test_a_note_of_labelled_lines_is_no_mime(attach, read_one):
    note = "Date: today\nContent-Type: progress note\nVersion: 1.0\n\nNa 138"
    assert read_one(attach(note.encode(), "text/plain")).note.text == note


# --- C-CDA


def test_sections_keep_their_titles_and_tables_their_cells(attach, read_one):
    table = "<table><tbody><tr><td>Na</td><td>138</td></tr></tbody></table>"
    items = '<list listType="ordered"><item>UTI</item><item>AKI</item></list>'
    raw = cda(section("LABS", table), section("ASSESSMENT", items))
    reading = read_one(attach(raw, "application/hl7-v3+xml"))
    assert reading.note.text == "LABS\nNa 138\n\nASSESSMENT\n1. UTI\n2. AKI"
    assert reading.format == "xml"


def test_sections_in_sections_come_in_their_order(attach, read_one):
    raw = cda(section("PLAN", "home", section("Diet", "low <sub>salt</sub>")))
    assert read_one(attach(raw, "text/xml")).note.text == "PLAN\nhome\n\nDiet\nlow salt"


def test_what_a_narrative_took_back_is_gone(attach, read_one):
    raw = cda(section("MEDS", '<content revised="delete">ASA</content> apixaban<!-- x --> 5 mg'))
    assert read_one(attach(raw, "text/xml")).note.text == "MEDS\napixaban 5 mg"


@pytest.mark.parametrize(
    ("inner", "kind", "expected"),
    [
        pytest.param(b"Na 138", "text/plain", "xml+text", id="text"),
        pytest.param(rb"{\rtf1 Na 138}", "text/rtf", "xml+rtf", id="RTF"),
        pytest.param(b"<html>Na 138</html>", "text/html", "xml+html", id="HTML"),
    ],
)
def test_a_non_xml_body_is_decoded_again(attach, read_one, inner, kind, expected):
    raw = NON_XML.format(kind, base64.encodebytes(inner).decode()).encode()
    reading = read_one(attach(gzip.compress(raw), "text/plain"))
    assert (reading.note.text, reading.format) == ("Na 138", f"gzip+{expected}")


@pytest.mark.parametrize(
    ("narrative", "text"),
    [
        pytest.param("A&O x3, D&C, R&D; H & P", "A&O x3, D&C, R&D; H & P", id="ampersands"),
        pytest.param("Temp < 38, WBC <5", "Temp < 38, WBC <5", id="less than"),
        pytest.param("Na&nbsp;138, 38&deg;C", "Na 138, 38°C", id="characters by HTML's names"),
        pytest.param("K &lt; 4 &amp; up &#176;C", "K < 4 & up °C", id="what is right"),
        pytest.param("<![CDATA[A&O x3 &lt;5 <5]]>", "A&O x3 &lt;5 <5", id="CDATA as it is"),
        pytest.param("Na\x0b138 K\x1f4.1", "Na 138 K 4.1", id="control characters"),
        pytest.param("Na&#x1F;138&#10;K&#11;4.1", "Na 138 K 4.1", id="references to them"),
        pytest.param("<sdtc:x>Na</sdtc:x> 138", "Na 138", id="a prefix that nothing declares"),
    ],
)
def test_xml_that_is_almost_right_loses_no_character(attach, read_one, narrative, text):
    raw = cda(section("LABS", narrative), section("PLAN", "home"))
    assert read_one(attach(raw, "text/xml")).note.text == f"LABS\n{text}\n\nPLAN\nhome"


def test_a_cut_off_document_keeps_what_came(attach, read_one):
    raw = cda(section("LABS", "Na 138"), section("PLAN", "home tomorrow"))
    raw = raw[: raw.index(b"tomorrow")]
    assert read_one(attach(raw, "text/xml")).note.text == "LABS\nNa 138\n\nPLAN\nhome"


@pytest.mark.parametrize("body", ["", "<structuredBody/>"])
def test_a_document_without_words_has_no_text(attach, read_one, body):
    assert read_one(attach(CDA.format(body).encode(), "text/xml")).reason is Reason.NO_TEXT


def test_titles_alone_are_no_text(attach, read_one):
    raw = cda(section("LABS", ""), section("PLAN", " "))
    assert read_one(attach(raw, "text/xml")).reason is Reason.NO_TEXT


def test_a_body_by_reference_says_that_it_is_not_followed(attach, read_one):
    body = '<nonXMLBody><text mediaType="text/rtf"><reference value="x.rtf"/></text></nonXMLBody>'
    reading = read_one(attach(CDA.format(body).encode(), "text/xml"))
    assert (reading.outcome, reading.reason) == (
        Disposition.SKIPPED,
        Reason.UNSUPPORTED_CONTENT_TYPE,
    )
    assert "not followed" in reading.detail


@pytest.mark.parametrize("representation", ["", ' representation="b64"', ' representation="TXT"'])
def test_a_non_xml_body_that_does_not_say_how_it_is_encoded(attach, read_one, representation):
    inner = base64.b64encode(rb"{\rtf1\ansi Na 138, K 4.1, seen on the ward.}").decode()
    body = f'<nonXMLBody><text mediaType="text/rtf"{representation}>{inner}</text></nonXMLBody>'
    reading = read_one(attach(CDA.format(body).encode(), "text/xml"))
    assert reading.note.text == "Na 138, K 4.1, seen on the ward."


def test_a_non_xml_body_of_text_is_text(attach, read_one):
    body = '<nonXMLBody><text mediaType="text/plain">Na 138\nK &lt; 4</text></nonXMLBody>'
    assert read_one(attach(CDA.format(body).encode(), "text/xml")).note.text == "Na 138\nK < 4"


@pytest.mark.parametrize("kind", ["text/html", "text/plain", None, "application/octet-stream"])
@pytest.mark.parametrize("before", [b"", b'<?xml version="1.0"?>', b"<!-- CDA -->\n"])
def test_a_clinical_document_is_one_whatever_its_type_says(attach, read_one, kind, before):
    """As HTML it would begin with the names and numbers of its header."""
    raw = before + cda(section("LABS", "Na&nbsp;138")).replace(
        b"<component>", b"<id/><component>", 1
    )
    reading = read_one(attach(raw, kind))
    assert (reading.note.text, reading.format) == ("LABS\nNa 138", "xml")


def test_a_non_xml_body_of_another_format_is_named(attach, read_one):
    raw = NON_XML.format("image/png", base64.b64encode(b"\x89PNG").decode()).encode()
    reading = read_one(attach(raw, "text/xml"))
    assert reading.reason is Reason.UNSUPPORTED_CONTENT_TYPE
    assert " image." in reading.detail


def test_the_real_note_with_rtf_in_its_entry_reads_its_narrative(data_folder, attach, read_one):
    raw = (data_folder / "fhir" / "ccda_rtf_note.xml").read_bytes()
    text = read_one(attach(raw, "application/xml")).note.text
    assert text.startswith("Nursing Notes\n- ")


def test_a_note_activity_stands_in_for_an_empty_narrative(attach, read_one):
    data = base64.b64encode(rb"{\rtf1 Na 138}").decode()
    entry = (
        f'<entry><act><text mediaType="text/rtf" representation="B64">{data}</text></act></entry>'
    )
    reading = read_one(attach(cda(section("NOTE", "", entry)), "text/xml"))
    assert (reading.note.text, reading.format) == ("Na 138", "xml+rtf")


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]><x>&l9;</x>'),
        pytest.param('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
                     "<x>&f;</x>"),
        pytest.param("<ClinicalDocument>" + "<section>" * 100_000),
        pytest.param('<?xml version="1.0"?>'),
    ],
)  # fmt: skip
@pytest.mark.timeout(60)
def test_hostile_xml_is_damage(attach, read_one, raw):
    reading = read_one(attach(raw.encode(), "text/xml"))
    assert (reading.outcome, reading.reason) == (
        Disposition.DEAD_LETTER,
        Reason.DAMAGED_ATTACHMENT,
    )


@pytest.mark.timeout(60)
def test_many_elements_deep_in_a_document_take_no_product_of_their_time(attach, read_one):
    deep = "<b>" * 200 + "Na<i/>138" * 500_000 + "</b>" * 200
    raw = f"<ClinicalDocument><section><text>{deep}</text></section></ClinicalDocument>"
    assert len(read_one(attach(raw.encode(), "text/xml")).note.text) == len("Na138") * 500_000


# --- PDF


def pdf(content: bytes) -> bytes:
    """A PDF of one page. Without a table of offsets: PDFium finds the objects itself."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )
    body = b"".join(b"%d 0 obj%s endobj\n" % (n, o) for n, o in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n%%EOF"


WORDS = b"BT /F1 12 Tf 20 200 Td (Na 138) Tj 0 -20 Td (K 4.1) Tj ET"


@pytest.mark.parametrize("before", [b"", b"\r\n\r\n"])
def test_the_text_layer_of_a_pdf_is_read(attach, read_one, before):
    reading = read_one(attach(before + pdf(WORDS), "text/plain"))
    assert (reading.note.text, reading.format) == ("Na 138\nK 4.1", "pdf")


def test_a_pdf_without_a_text_layer_is_a_skip_that_says_so(attach, read_one):
    reading = read_one(attach(pdf(b"0 0 100 100 re f"), "application/pdf"))
    assert (reading.outcome, reading.reason) == (Disposition.SKIPPED, Reason.NO_TEXT_LAYER)


@pytest.mark.parametrize("raw", [b"%PDF-1.7", b"%PDF-1.4\n" + b"\0" * 1000, pdf(WORDS)[:60]])
def test_a_damaged_pdf_is_damage(attach, read_one, raw):
    assert read_one(attach(raw, "application/pdf")).reason is Reason.DAMAGED_ATTACHMENT


def test_a_pdf_that_takes_too_long_is_given_up():
    with pytest.raises(RecordRejected) as caught:
        pdf_to_text(pdf(WORDS), seconds=0.001)
    assert caught.value.reason is Reason.DAMAGED_ATTACHMENT


async def test_a_pdf_in_a_small_record_is_read_beside_the_loop(attach, clock, record, emitted):
    await Intake(clock).documents(record(orjson.dumps(attach(pdf(WORDS)))), emitted)
    assert emitted[0].note.text.startswith("Na 138")


# --- gzip, and the choice among formats


def test_a_gzip_bomb_stops_at_its_bound(attach, read_one):
    packer = zlib.compressobj(9, wbits=31)
    bomb = packer.compress(b"\0" * (MAX_UNPACKED_BYTES + 2)) + packer.flush()
    reading = read_one(attach(bomb))
    assert (reading.outcome, reading.reason) == (Disposition.DEAD_LETTER, Reason.NOTE_TOO_LARGE)


def test_gzip_in_gzip_is_opened_only_so_often(attach, read_one):
    raw = b"Na 138"
    for depth in range(1, 6):
        raw = gzip.compress(raw)
        expected = None if depth <= 3 else Reason.DAMAGED_ATTACHMENT
        assert read_one(attach(raw)).reason is expected


@pytest.mark.parametrize("cut", [3, 12, -4])
def test_damaged_gzip_is_damage(attach, read_one, cut):
    reading = read_one(attach(gzip.compress(b"Na 138 " * 100)[:cut]))
    assert reading.reason is Reason.DAMAGED_ATTACHMENT


def test_of_several_formats_the_one_that_loses_least_is_taken(document, read_one):
    forms = [
        ("application/pdf", pdf(b"BT /F1 12 Tf (from pdf) Tj ET")),
        ("text/rtf", rb"{\rtf1 from rtf}"),
        ("text/html", b"<p>from html</p>"),
        ("text/plain", b"from text"),
    ]

    def content(*chosen: tuple[str, bytes]) -> list[dict]:
        return [
            {"attachment": {"contentType": kind, "data": base64.b64encode(raw).decode()}}
            for kind, raw in chosen
        ]

    ends = ("from pdf", "from rtf", "from html", "from text")
    for count, expected in enumerate(ends, 1):
        document["content"] = content(*forms[:count])
        assert read_one(document).note.text == expected
    document["content"] = content(forms[0], ("text/html", b"<p></p>"), forms[1])
    assert read_one(document).note.text == "from rtf"


# --- DiagnosticReport


@pytest.fixture
def report(document) -> dict:
    return {
        "resourceType": "DiagnosticReport",
        "id": "r-1",
        "status": "final",
        "code": {
            "coding": [{"system": "http://loinc.org", "code": "24627-2", "display": "CT chest"}]
        },
        "subject": {"reference": "Patient/p-1"},
        "encounter": {"reference": "Encounter/e-1"},
        "effectivePeriod": {"start": "2024-05-01T08:00:00Z"},
        "issued": "2024-05-01T10:00:00Z",
        "performer": [{"reference": "Organization/1"}],
        "resultsInterpreter": [{"reference": "Practitioner/1"}],
        "presentedForm": [document["content"][0]["attachment"]],
    }


def test_a_diagnostic_report_with_a_presented_form_is_a_note(report, read_one):
    reading = read_one(report)
    assert (reading.document_id, reading.patient_id) == ("DiagnosticReport/r-1", "p-1")
    note = reading.note
    assert (note.note_type, note.encounter_id) == ("CT chest", "e-1")
    assert (note.note_time_source, note.note_time.hour) == ("creation", 10)
    assert note.author_category == "clinician"


@pytest.mark.parametrize(
    ("said", "source", "day"),
    [
        pytest.param({"effectiveDateTime": "2024-05-01", "issued": "2024-05-04"}, "creation", 4),
        pytest.param({"effectiveDateTime": "2024-05-02"}, "date", 2),
        pytest.param(
            {"effectivePeriod": {"start": "2024-05-01", "end": "2024-05-03"}}, "period", 3
        ),
        pytest.param({"effectivePeriod": {"start": "2024-05-01"}}, "period", 1),
    ],
)
def test_a_report_is_known_from_when_it_was_issued(report, read_one, said, source, day):
    del report["effectivePeriod"], report["issued"]
    note = read_one(report | said).note
    assert (note.note_time_source, note.note_time.day) == (source, day)


def test_a_report_of_stu3_names_its_encounter_and_its_actors(report, read_one):
    report |= {
        "encounter": None,
        "context": {"reference": "Encounter/e-3"},
        "performer": [{"role": {"text": "reader"}, "actor": {"reference": "Practitioner/1"}}],
        "resultsInterpreter": None,
    }
    note = read_one(report).note
    assert (note.encounter_id, note.author_category) == ("e-3", "clinician")


def test_a_diagnostic_report_follows_its_status(report, read_one):
    assert read_one(report | {"status": "preliminary"}).reason is Reason.DRAFT
    assert read_one(report | {"status": "entered-in-error"}).reason is Reason.ENTERED_IN_ERROR


def test_a_diagnostic_report_without_a_form_carries_no_note(report, read_one):
    del report["presentedForm"], report["subject"]
    assert read_one(report).reason is Reason.UNSUPPORTED_RESOURCE


async def test_a_large_record_is_read_beside_the_loop(document, clock, record, emitted):
    lines = b"\n".join([orjson.dumps(document)] * 2000)
    await Intake(clock).documents(record(lines), emitted)
    assert [event.item for event in emitted] == list(range(2000))

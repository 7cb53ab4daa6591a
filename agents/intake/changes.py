"""What the JSON around a resource says has happened to it: above all, that it was deleted.

Envelopes say it in many places, and each is read before the envelope is opened, since a note that
was deleted must never come in as if it were new:

| sender                                   | where                                                |
|------------------------------------------|------------------------------------------------------|
| Debezium                                 | `op: d`, `__op`, `__deleted`, `before` without `after`|
| SQL Server, DMS, GoldenGate, Maxwell ... | `__$operation: 1`, `operation`, `op_type`, `type`     |
| MongoDB, DynamoDB, Supabase, Hasura      | `operationType`, `eventName`, `eventType`, `OldImage` |
| CloudEvents, Azure, message buses        | `type`, `eventType`, `action`, `event`                |
| HTTP and REST hooks                      | `method`, `request.method`                            |
| CouchDB, HAPI, Medplum, Azure            | `_deleted`, `res_deleted_at`, `meta.deleted`, meta    |
|                                          | extension, tag                                       |
| FHIR                                     | `request.method`, a response of 410, the event of a  |
|                                          | MessageHeader                                        |
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from agents.intake.shape import JsonObject, child, codes, objects, string

_SEPARATORS = re.compile(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")
_VERBS_WORDS = """
delete deleted deletes deleting deletion del remove removed removes removal purge purged purging
expunge expunged erase erased erasure destroy destroyed tombstone tombstoned drop dropped trash
trashed void voided retract retracted softdelete softdeleted harddelete harddeleted
deleteresource
"""
_VERBS = frozenset(_VERBS_WORDS.split())
_TAKEN_BACK_WORDS = """
undelete undeleted restore restored failed failure rejected denied cancelled canceled reverted
undo not un non before pre
"""
_TAKEN_BACK = frozenset(_TAKEN_BACK_WORDS.split())
# Members that name what happened; their names without case, "_", "-" and "$".
_OPERATIONS_WORDS = """
op operation operationtype optype eventtype event eventname eventkind type action changetype
change changeevent crud verb method httpmethod httpverb interaction trigger triggerevent kind
dmloperation mutation mutationtype recordtype modtype messagetype activity subtype eventaction
eventcode cetype status state changestatus recordstatus rowstatus
"""
_OPERATIONS = frozenset(_OPERATIONS_WORDS.split())
_BY_LETTER = ("op", "mod", "action", "crud", "change", "verb", "dml")
"""Of these, how those begin whose `D` is a deletion (Debezium; HL7 table 0206)."""
_ON_RESOURCES = frozenset(["op", "operation", "operationtype", "optype"])
"""Of these, what no FHIR resource has as an element of its own."""
_FLAGS_WORDS = """
deleted isdeleted softdeleted issoftdeleted tombstone istombstone removed isremoved deletedat
deletedon deletedate deleteddate deletedtime deletedtimestamp datedeleted deletiontime
deletiondate resdeletedat resdeleted markedfordeletion deleteflag deletedflag delflag
"""
_FLAGS = frozenset(_FLAGS_WORDS.split())
_TIMES = ("at", "on", "date", "time", "timestamp", "datedeleted")
_FALSE = frozenset({"", "0", "f", "false", "n", "no", "null", "none", "nil", "off"})
_D = frozenset({"d", "del"})
_CDC_DELETE = "operation"
"""SQL Server's `__$operation`: 1 is a deletion (2 an insert, 3 and 4 an update)."""
_BEFORE_WORDS = """
before old oldimage oldrecord oldrow oldvalue olddata olddocument previous previousvalue
previousversion prior priorvalue original originalrecord fulldocumentbeforechange beforeimage
beforevalue preimage deletedrecord deletedrow deleteddocument
"""
BEFORE = frozenset(_BEFORE_WORDS.split())
"""Members with the state before a change, without case and separators."""
_AFTER_WORDS = """
after new newimage newrecord newrow newvalue newdata newdocument record fulldocument afterimage
aftervalue postimage current
"""
AFTER = frozenset(_AFTER_WORDS.split())


def plain_name(name: str) -> str:
    """A member's name without case and separators: `__Op_Type` is `optype`."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def says_deleted(envelope: Mapping[str, object]) -> bool:
    """Whether JSON around a resource, or a message's headers, say that it was deleted."""
    return (
        _named_deletion(envelope, _OPERATIONS)
        or _flagged(envelope)
        or _deletes(child(envelope, "request", "method"))
        or is_gone(child(envelope, "response", "status"))
        or _was_left_without(envelope)
    )


def resource_says_deleted(resource: JsonObject) -> bool:
    """Whether a resource itself says so: servers' tombstones, and rows that a sink has flattened.

    Not `status`: what is entered in error is read from there (`fields`).
    """
    meta = resource.get("meta")
    extensions = objects(child(meta, "extension"))
    return (
        _named_deletion(resource, _ON_RESOURCES)
        or _flagged(resource)
        or (isinstance(meta, dict) and _flagged(meta))
        or any(_deletes(code) for code in codes(child(meta, "tag")))
        or any(
            "delet" in (string(one.get("url")) or "").lower() and _extension_holds(one)
            for one in extensions
        )
    )


def message_says_deleted(header: JsonObject) -> bool:
    """Whether a MessageHeader's event (R4 `eventCoding`, `eventUri`; before `event`) is one."""
    codings = (header.get("eventCoding"), header.get("event"))
    names = [code for coding in codings for code in codes(coding)]
    return any(map(_deletes, (*names, header.get("eventUri"))))


def is_gone(status: object) -> bool:
    """Whether a response's status says that the resource was deleted (410 Gone)."""
    return (string(status) or "").startswith("410")


def _named_deletion(node: Mapping[str, object], names: frozenset[str]) -> bool:
    for name, value in node.items():
        if not isinstance(value, str | int):
            continue
        plain = plain_name(name)
        if plain in names and _deletes(value, letter=plain.startswith(_BY_LETTER)):
            return True
        if plain == _CDC_DELETE and name.startswith("__") and str(value) == "1":
            return True
    return False


def _deletes(value: object, *, letter: bool = False) -> bool:
    words = [word.lower() for word in _SEPARATORS.split(string(value) or "") if word]
    if letter and len(words) == 1 and words[0] in _D:
        return True
    return not _VERBS.isdisjoint(words) and _TAKEN_BACK.isdisjoint(words)


def _flagged(node: Mapping[str, object]) -> bool:
    return any(plain_name(name) in _FLAGS and _is_true(name, value) for name, value in node.items())


def _is_true(name: str, value: object) -> bool:
    if isinstance(value, bool) or value is None:
        return bool(value)
    if isinstance(value, int | float):
        return value != 0
    if not isinstance(value, str):
        return bool(value) and plain_name(name).endswith(_TIMES)
    return value.strip().lower() not in _FALSE


def _extension_holds(extension: JsonObject) -> bool:
    values = [value for name, value in extension.items() if name.startswith("value")]
    return any(_is_true("deleted", value) for value in values if isinstance(value, str | bool))


def _was_left_without(node: Mapping[str, object]) -> bool:
    """A state before, and a member for the state after that is empty."""
    names = {plain_name(name): value for name, value in node.items()}
    before = any(names.get(name) for name in BEFORE if name in names)
    after = [names[name] for name in AFTER if name in names]
    return before and bool(after) and not any(after)

"""FHIR and generated text as engines send them, turned into strict events. Never touches the index.

The way of a record: `envelope` finds the resources in it, `fields` says in one shape what each
resource says whatever its FHIR version, `attachments` gets at the text, `read` decides the
outcome, `receive` emits it. Everything before `receive` is pure, so `inspect` shows it offline.
"""

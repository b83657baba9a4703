"""Gives the requests that a description allows what no schema can say, as the names of registered objects."""

import json
import os
import secrets

import schemathesis

# Values by operation and member; a member of "" holds for all other operations.
KNOWN = json.loads(os.environ["SIWA_OPENAPI_KNOWN"])
# Eight characters that are no common password.
UNCOMMON = "Quince 7"


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    operation = case.operation.definition.raw["operationId"]
    known = {**KNOWN.get("", {}), **KNOWN.get(operation, {})}
    # What a removal took would be missing in the other operations.
    paths = {} if case.method == "DELETE" else case.path_parameters
    for place in (paths, case.query, case.body):
        if isinstance(place, dict):
            place.update({name: known[name] for name in place if place[name] is not None and known.get(name)})
    if isinstance(case.body, dict):
        complete(case.body, operation)


def complete(body, operation):
    """Keeps the length of passwords and usernames, and makes names visible."""
    password = "password" if operation == "createAccount" else "newPassword"
    if body.get(password):
        body[password] = UNCOMMON + body[password][len(UNCOMMON) :]
    if operation in ("createAccount", "changePassword") and body.get("username"):
        # A username has the letters of one writing system, and more than 64 characters only as an address.
        body["username"] = ("m" + secrets.token_hex(32))[: min(len(body["username"]), 64)]
    # The limit of a name holds for both parts together.
    limits = {"name": 200, "givenName": 99, "familyName": 99}
    for names in (body, body.get("fullName") or {}):
        for name in limits.keys() & names.keys():
            if isinstance(names[name], str):
                names[name] = "M" + names[name][1 : limits[name]]

"""Verifies one identity token with Python's libraries, as often as the benchmark asks for.

The first line on standard input is JSON: token, keys (a JWKS), audience, issuer. Each line after it
is a library and a count; the answer is the seconds that so many verifications took. Each library
parses the key once, as its users do.
"""

import json
import sys
import time

import jwt
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import KeySet


def pyjwt(task):
    keys = jwt.PyJWKSet.from_dict(task["keys"])
    token, audience, issuer = task["token"], task["audience"], task["issuer"]

    def verify():
        key = keys[jwt.get_unverified_header(token)["kid"]]
        jwt.decode(token, key, algorithms=["RS256"], audience=audience, issuer=issuer)

    return verify


def joserfc(task):
    keys = KeySet.import_key_set(task["keys"])
    token = task["token"]
    rules = joserfc_jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": task["issuer"]},
        aud={"essential": True, "value": task["audience"]},
        exp={"essential": True},
    )

    def verify():
        rules.validate(joserfc_jwt.decode(token, keys, algorithms=["RS256"]).claims)

    return verify


def main():
    task = json.loads(sys.stdin.readline())
    contenders = {"PyJWT": pyjwt(task), "joserfc": joserfc(task)}
    for line in sys.stdin:
        name, count = line.split()
        verify = contenders[name]
        start = time.perf_counter()
        for _ in range(int(count)):
            verify()
        print(time.perf_counter() - start, flush=True)


main()

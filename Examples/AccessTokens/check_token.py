"""Checks access tokens of the accounts server, with PyJWT. Copy both classes into your service."""

import json
import logging
import sys
import threading
import time
import urllib.request

import jwt
from jwt.algorithms import ECAlgorithm


class KeysUnavailable(Exception):
    """The accounts server does not publish its keys now: respond with 503, not with 401."""


class AccessTokens:
    """Fetches the keys after 300 seconds, and for an unknown key, but not twice in 10 seconds.

    Threads share one instance. Checks wait for a fetch. After a failed one they use the last keys, up to 24 hours old.
    """

    def __init__(self, issuer, audience, clock=time.monotonic):
        self.issuer, self.audience, self.clock = issuer, audience, clock
        self.keys, self.fetched_at, self.tried_at, self.has_failed = {}, float("-inf"), float("-inf"), False
        self.lock, self.fetch = threading.Lock(), threading.Thread()

    def check(self, token):
        """The claims of a valid token; raises jwt.PyJWTError for any other, or KeysUnavailable."""
        try:
            header = jwt.get_unverified_header(token)
        except (ValueError, RecursionError) as error:
            raise jwt.DecodeError("it is not a JWT") from error
        # RFC 9068, section 4: an identity token must not pass for an access token.
        if str(header.get("typ")).lower() != "at+jwt":
            raise jwt.InvalidTokenError("it is not an access token")
        return jwt.decode(
            token,
            self._key(header.get("kid")),
            algorithms=["ES256"],
            issuer=self.issuer,
            audience=self.audience,
            leeway=60,
            options={"require": ["exp", "iat", "sub"]},
        )

    def _key(self, key_id):
        with self.lock:
            now = self.clock()
            if now > self.fetched_at + 86_400:
                self.keys = {}
            is_due, is_known = now > self.fetched_at + 300, key_id in self.keys
            # Anyone can invent a key, hence the pause.
            if (is_due or not is_known) and now > self.tried_at + 10 and not self.fetch.is_alive():
                self.tried_at, self.fetch = now, threading.Thread(target=self._fetch, daemon=True)
                self.fetch.start()
            fetch, must_wait = self.fetch, not is_known or (is_due and not self.has_failed)
        if must_wait:
            fetch.join(10)
        key = self.keys.get(key_id)
        if key is None and (self.has_failed or fetch.is_alive()):
            raise KeysUnavailable("the accounts server does not publish its keys now")
        if key is None:
            raise jwt.InvalidTokenError("its key is unknown")
        return key

    def _fetch(self):
        keys = {}
        try:
            with urllib.request.urlopen(f"{self.issuer}/.well-known/jwks.json", timeout=5) as response:
                found = json.loads(response.read(65_536))["keys"]
            keys = {key["kid"]: ECAlgorithm.from_jwk(key) for key in found if key.get("crv") == "P-256"}
        except Exception as error:
            logging.warning("the keys of the accounts server: %s", error)
        with self.lock:
            self.has_failed = not keys
            if keys:
                self.keys, self.fetched_at = keys, self.clock()


def main():
    """Prints the account of each token on standard input, with the line's number. +300 moves the clock of the keys."""
    moved = 0
    tokens = AccessTokens(*sys.argv[1:3], clock=lambda: time.monotonic() + moved)

    def check(number, token):
        try:
            answer = tokens.check(token)["sub"]
        except jwt.PyJWTError as error:
            answer = f"refused: {error}"
        except KeysUnavailable as error:
            answer = f"unavailable: {error}"
        print(f"{number} {answer}\n", end="", flush=True)

    for number, line in enumerate(sys.stdin, start=1):
        if line.startswith("+"):
            moved += int(line)
        else:
            threading.Thread(target=check, args=(number, line.strip())).start()


if __name__ == "__main__":
    main()

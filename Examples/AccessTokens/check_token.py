"""Checks an access token of the accounts server, with PyJWT. Copy AccessTokens into your service."""

import sys

import jwt


class AccessTokens:
    def __init__(self, issuer, audience):
        self.issuer, self.audience = issuer, audience
        # It fetches the keys again after 300 seconds, or for an unknown key.
        self.keys = jwt.PyJWKClient(f"{issuer}/.well-known/jwks.json", lifespan=300)

    def check(self, token):
        """The claims of a valid token; raises jwt.PyJWTError for any other."""
        # RFC 9068, section 4: an identity token must not pass for an access token.
        if jwt.get_unverified_header(token).get("typ", "").lower() != "at+jwt":
            raise jwt.InvalidTokenError("it is not an access token")
        return jwt.decode(
            token,
            self.keys.get_signing_key_from_jwt(token),
            algorithms=["ES256"],
            issuer=self.issuer,
            audience=self.audience,
            options={"require": ["exp", "iat", "sub"]},
        )


if __name__ == "__main__":
    try:
        print(AccessTokens(*sys.argv[1:3]).check(sys.stdin.read().strip())["sub"])
    except jwt.PyJWTError as error:
        sys.exit(f"refused: {error}")

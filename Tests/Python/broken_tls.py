"""A site that is reached by https, and lets its session's cookie out of it."""

from checked_site import CheckedSite


class Site(CheckedSite):
    TLS = True
    #: What siwa check finds.
    FAILS = {"session-cookie-secure"}
    ADVICE = {"code-hash", "keys-withdrawn"}

    session_cookie = "HttpOnly; SameSite=Lax; Path=/"

"""A site that acts on notifications however old they are, and calls one that comes again wrong."""

import threading

from checked_site import CheckedSite


class Site(CheckedSite):
    #: What siwa check finds.
    FAILS = set()
    ADVICE = {"code-hash", "keys-withdrawn", "notification-late", "notification-repeated"}

    lock = threading.Lock()

    def notify(self, body):
        with self.lock:
            known = len(self.handled)
            super().notify(body)
            if len(self.handled) == known:
                raise ValueError("I know that already")

    def is_late(self, account, event):
        return False

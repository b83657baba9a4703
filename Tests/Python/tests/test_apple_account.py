"""Apple's page about an Apple Account in Chromium: the apps that use it, and its end."""

from visitor import EMAIL, PASSWORD, Visitor

APP = "com.example.juice"


class Owner(Visitor):
    """Somebody on Apple's page about their account, whose app makes a hidden address."""

    def open(self):
        body = {"client_id": APP, "scopes": ["name", "email"], "email": "hide"}
        self.control("POST", f"/people/{EMAIL}/credentials", body)
        self.browser.open(self.demo["apple"] + "/account")

    def send(self, action):
        self.element(f'form[action="{action}"]')
        self.browser.send(action)

    def expect_notice(self, words):
        assert words in self.text("[role=status]")

    def expect_notified(self, kind):
        notifications = self.control("GET", "/notifications")["notifications"]
        assert [entry["type"] for entry in notifications].count(kind) == 1, kind


def sign_in(owner):
    owner.open()
    owner.element("[name=email]")
    owner.browser.fill(email=EMAIL, password=PASSWORD)
    owner.send("/account/sign-in")
    owner.browser.fill(code=owner.text("#shown-code"))
    owner.send("/account/two-factor")
    owner.element("h2#apps")
    assert "Maya Lindgren" in owner.text()


def switch_forwarding(owner, was, becomes):
    owner.element(f"button[role=switch][aria-checked={was}]").click()
    owner.element(f"button[role=switch][aria-checked={becomes}]")


def forward(owner):
    owner.element(f'a[href*="/account/app?client_id={APP}"]').click()
    owner.browser.wait_until(lambda _: owner.text("h1") == "Juice", "the app is not shown")
    assert "@privaterelay.appleid.com" in owner.text()
    switch_forwarding(owner, "true", "false")
    owner.expect_notice("no longer forwarded")
    switch_forwarding(owner, "false", "true")
    owner.expect_notified("email-disabled")
    owner.expect_notified("email-enabled")


def stop_using(owner):
    owner.element('a[href^="/account/stop-using"]').click()
    owner.send("/account/stop-using")
    owner.expect_notice("The app no longer uses your Apple Account.")
    owner.expect_notified("consent-revoked")
    state = owner.control("GET", f"/people/{EMAIL}/credential-state?client_id={APP}")
    assert state["state"] == "revoked"


def delete(owner):
    owner.open()
    owner.element('a[href^="/account/delete"]').click()
    owner.element("input[name=understood]").click()
    owner.send("/account/delete")
    owner.expect_notice("The Apple Account was deleted.")
    owner.expect_notified("account-deleted")


def test_a_whole_life(demo, chromium):
    owner = Owner(demo, chromium)
    sign_in(owner)
    forward(owner)
    stop_using(owner)
    delete(owner)

"""Apple's page about an Apple Account in Chromium: the apps that use it, and its end."""

from visitor import EMAIL, PASSWORD, Visitor

APP = "com.example.juice"


class Owner(Visitor):
    """Somebody on Apple's page about their account."""

    def credentials(self):
        body = {"client_id": APP, "scopes": ["name", "email"], "email": "hide"}
        return self.control("POST", f"/people/{EMAIL}/credentials", body)

    def open(self):
        self.browser.open(self.demo["apple"] + "/account")

    def send(self, action):
        self.element(f'form[action="{action}"]')
        self.browser.send(action)

    def expect_notice(self, words):
        notice = self.text("[role=status]")
        assert words in notice

    def expect_notified(self, kind):
        notifications = self.control("GET", "/notifications")["notifications"]
        assert [entry["type"] for entry in notifications].count(kind) == 1, kind


def sign_in(owner):
    owner.credentials()
    owner.open()
    owner.element("[name=email]")
    owner.picture("account-1-sign-in")
    owner.browser.fill(email=EMAIL, password=PASSWORD)
    owner.send("/account/sign-in")
    code = owner.text("#shown-code")
    owner.picture("account-2-two-factor")
    owner.browser.fill(code=code)
    owner.send("/account/two-factor")
    owner.element("h2#apps")
    owner.picture("account-3-apps")
    assert "Maya Lindgren" in owner.text()


def switch_forwarding(owner, on):
    was, becomes = ("false", "true") if on else ("true", "false")
    owner.element(f"button[role=switch][aria-checked={was}]").click()
    owner.element(f"button[role=switch][aria-checked={becomes}]")


def forward(owner):
    [app] = [link for link in owner.browser.driver.find_elements("css selector", "a") if "Juice" in link.text]
    app.click()
    owner.browser.wait_until(lambda _: owner.text("h1") == "Juice", "the app is not shown")
    assert "@privaterelay.appleid.com" in owner.text()
    owner.picture("account-4-app")
    switch_forwarding(owner, on=False)
    owner.expect_notice("no longer forwarded")
    owner.picture("account-5-forwarding-off")
    switch_forwarding(owner, on=True)
    owner.expect_notified("email-disabled")
    owner.expect_notified("email-enabled")


def stop_using(owner):
    owner.element('a[href^="/account/stop-using"]').click()
    owner.element('form[action="/account/stop-using"]')
    owner.picture("account-6-stop-using")
    owner.send("/account/stop-using")
    owner.expect_notice("The app no longer uses your Apple Account.")
    owner.picture("account-7-stopped")
    owner.expect_notified("consent-revoked")
    state = owner.control("GET", f"/people/{EMAIL}/credential-state?client_id={APP}")
    assert state["state"] == "revoked"


def delete(owner):
    owner.credentials()
    owner.open()
    owner.element('a[href^="/account/delete"]').click()
    owner.element("input[name=understood]").click()
    owner.picture("account-8-delete")
    owner.send("/account/delete")
    owner.expect_notice("The Apple Account was deleted.")
    owner.picture("account-9-deleted")
    owner.expect_notified("account-deleted")


def test_a_whole_life(demo, chromium):
    owner = Owner(demo, chromium)
    sign_in(owner)
    forward(owner)
    stop_using(owner)
    delete(owner)

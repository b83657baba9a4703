"""Apple's script in Chromium, on a page of another origin; test_browsers.py has the usual ways."""

# Fidelity: script-2, script-4, script-9, script-10, script-11, script-17, script-18, script-20
# Fidelity: script-21, script-23

import pytest
from selenium.webdriver.common.by import By

from visitor import Shopper


@pytest.fixture
def shopper(demo, chromium, shop, request):
    chromium.forget()
    email = f"{request.node.originalname.replace('_', '-')}@example.com"
    shopper = Shopper(demo, chromium, shop, email)
    person = {"email": email, "given_name": "Maya", "password": "apple"}
    shopper.control("POST", "/people", person)
    shopper.open(settings={})
    yield shopper
    shopper.close_popups()


def test_a_popup_sends_nothing_to_the_redirect_address(shopper):
    decision = {"person": shopper.email, "decision": "continue"}
    shopper.control("POST", "/authorizations/next", decision)
    before = shopper.shop.callback_count
    shopper.element("#try").click()
    assert shopper.result("success")["authorization"]["code"]
    assert shopper.browser.driver.current_url == shopper.shop.address + "/"
    assert shopper.shop.callback_count == before


def test_a_popup_that_the_person_closes(shopper):
    shopper.turn_to_popup()
    shopper.browser.driver.close()
    shopper.expect_failure("popup_closed_by_user")


def test_a_popup_that_the_browser_blocks(shopper):
    shopper.run("attempt()")
    shopper.expect_failure("popup_blocked_by_browser")
    assert len(shopper.browser.driver.window_handles) == 1


def test_the_popup_is_in_the_middle_of_the_window(shopper):
    assert shopper.run(
        """
        let name, features;
        window.open = (address, ...rest) => { [name, features] = rest; return null };
        attempt();
        const value = (key) => Number(features.match(new RegExp(key + "=(-?[0-9]+)"))[1]);
        const middle = [value("left") + 350 - (screenX + outerWidth / 2),
          value("top") + 350 - (screenY + outerHeight / 2)];
        return [name, value("width"), value("height"), ...middle.map(Math.round)];
        """
    ) == ["Apple authentication", 700, 700, 0, 0]


def test_state_and_nonce_that_the_page_does_not_give_are_not_sent(shopper):
    def address(settings):
        return shopper.run(
            f"""
            AppleID.auth.init(settings({settings}));
            let address;
            window.open = (first) => {{ address = first; return null }};
            attempt();
            return address;
            """
        )

    said = address("{}")
    assert "&state=s-1" in said and "&nonce=n-1" in said
    unsaid = address("{state: undefined, nonce: undefined}")
    assert "/auth/authorize?client_id=" in unsaid
    assert "&state=" not in unsaid and "&nonce=" not in unsaid


def test_a_second_sign_in_ends_the_first_one_and_goes_on_itself(shopper):
    shopper.turn_to_popup()
    popup = shopper.browser.driver.current_window_handle
    shopper.turn_to_shop()
    shopper.element("#try").click()
    shopper.expect_failure("user_trigger_new_signin_flow")
    assert len(shopper.browser.driver.window_handles) == 2
    shopper.browser.driver.switch_to.window(popup)
    shopper.prove()
    shopper.consent()
    assert shopper.result("success")["authorization"]["code"]


def test_a_page_that_parts_itself_from_its_popups_never_gets_the_answer(shopper):
    shopper.open("/parted", settings={})
    shopper.turn_to_popup()
    shopper.prove()
    shopper.consent()
    assert "same-origin-allow-popups" in shopper.text("#alone")
    shopper.picture("script-popup-alone")
    shopper.turn_to_shop()
    assert not shopper.has("pre.success")


def test_messages_of_anybody_else_are_not_believed(shopper):
    shopper.turn_to_popup()
    popup = shopper.browser.driver.current_window_handle
    shopper.turn_to_shop()
    shopper.run(
        """
        for (const data of ["", "null", "[", {}, {method: "oauthDone", data: {}},
          '{"method":"oauthDone","data":{"authorization":{"code":"forged"}}}'])
          window.postMessage(data, "*");
        """
    )
    shopper.browser.driver.switch_to.window(popup)
    shopper.press("cancel")
    shopper.expect_failure("user_cancelled_authorize")
    assert not shopper.has("pre.success")


def test_settings_of_one_call_go_before_those_of_init(shopper):
    shopper.run("document.getElementById('try').onclick = () => attempt({state: 's 2&', nonce: ''})")
    shopper.turn_to_popup()
    shopper.element("[name=email]")
    assert shopper.query["state"] == "s 2&" and shopper.query["scope"] == "name email"
    assert "nonce" not in shopper.query


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ("{}", "clientId"),
        ('{clientId: "a"}', "redirectURI"),
        ('{clientId: 1, redirectURI: "b"}', "clientId"),
        ('{clientId: "a", redirectURI: "b", usePopup: "true"}', "usePopup"),
        ('{clientId: "a", redirectURI: "b", state: 7}', "state"),
    ],
)
def test_wrong_settings_are_errors(demo, chromium, shop, settings, name):
    shopper = Shopper(demo, chromium, shop)
    shopper.open()
    message = shopper.run(
        f"try {{ AppleID.auth.init({settings}); return '' }} catch (error) {{ return error.message }}"
    )
    assert f"AppleID.auth: {name} must be" in message


def test_a_wrong_setting_is_told_by_apples_page_in_the_popup(shopper):
    shopper.run("AppleID.auth.init(settings({redirectURI: location.origin + '/other'}))")
    shopper.turn_to_popup()
    shopper.browser.wait_until(
        lambda driver: "invalid_request" in [code.text for code in driver.find_elements(By.TAG_NAME, "code")],
        "no error",
    )
    shopper.browser.driver.close()
    shopper.expect_failure("popup_closed_by_user")

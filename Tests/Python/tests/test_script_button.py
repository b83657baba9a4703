"""The button that Apple's script draws, and the pictures of it, in Chromium."""

# Fidelity: script-3, script-6, script-16, script-19, script-25, script-26, script-27
# Fidelity: script-28, script-29

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from shop import Shop
from visitor import Shopper

BUTTON = "#appleid-signin > [role=button]"
PLACE = '<div id="appleid-signin" style="width:220px;height:44px"></div>'
TAGS = f"""
<meta name="appleid-signin-client-id" content="{Shop.client_id}">
<meta name="appleid-signin-scope" content="email">
<meta name="appleid-signin-state" content="s-meta">
<meta name="appleid-signin-nonce" content="n-meta">
<meta name="appleid-signin-use-popup" content="true">
<script>
const tag = document.createElement("meta");
tag.name = "appleid-signin-redirect-uri";
tag.content = location.origin + "/callback";
document.head.append(tag);
</script>
"""
CLEAR = """
const place = document.getElementById("appleid-signin");
for (const name of Object.keys(place.dataset)) delete place.dataset[name];
const draw = (attributes) => {
  Object.assign(place.dataset, attributes);
  AppleID.auth.renderButton();
  return place.firstChild;
};
"""
USUAL = ["Sign in with Apple", 220, 44, "rgb(0, 0, 0)", "15px", "1px"]
PICTURES = [
    ("", "140x30"),
    ("?width=200&height=64&scale=2&type=continue", "400x128"),
    ("?width=375&height=64&locale=ar_SA&border_radius=0", "375x64"),
    ("?width=260&height=44&color=white&border=true&locale=ja_JP&type=sign-up", "260x44"),
    ("/left?width=300&height=44&logo-size=large", "300x44"),
    ("/left?width=300&height=44&locale=iw_IL&logo-position=30&label-position=90", "300x44"),
    ("/logo?size=64&border_radius=32", "64x64"),
    ("?width=130&height=44&scale=2&locale=hu_HU", "260x88"),
]


@pytest.fixture
def shopper(demo, chromium, shop):
    chromium.forget()
    shopper = Shopper(demo, chromium, shop)
    yield shopper
    shopper.close_popups()


@pytest.mark.parametrize("key", [Keys.ENTER, Keys.SPACE], ids=["enter", "space"])
def test_meta_tags_configure_it_and_keys_press_it(shopper, key):
    shopper.open(head=TAGS, body=PLACE)
    assert len(shopper.details("AppleIDSigInLoaded")) == 1
    shopper.run(f"document.querySelector('{BUTTON}').focus()")
    focused = shopper.browser.driver.switch_to.active_element
    assert focused.get_attribute("aria-label") == "Sign in with Apple"
    shopper.turn_to_popup(ActionChains(shopper.browser.driver).send_keys(key).perform)
    shopper.element("[name=email]")
    query = shopper.query
    assert query["m"] == "22" and query["scope"] == "email"
    assert query["state"] == "s-meta" and query["nonce"] == "n-meta"
    shopper.press("cancel")
    shopper.turn_to_shop()
    shopper.browser.wait_until(
        lambda _: shopper.details("AppleIDSignInOnFailure") == [{"error": "user_cancelled_authorize"}],
        "the document heard of nothing",
    )


def test_settings_of_init_and_a_press_of_the_mouse(shopper):
    shopper.open(settings={}, body=PLACE)
    shopper.turn_to_popup(shopper.element(BUTTON).click)
    shopper.element("[name=email]")
    assert shopper.query["m"] == "12"


@pytest.mark.parametrize(
    ("locale", "title", "direction"),
    [
        ("de_DE", "Mit Apple anmelden", "ltr"),
        ("ja_JP", "Appleでサインイン", "ltr"),
        ("ar_SA", "تسجيل الدخول باستخدام Apple", "rtl"),
    ],
)
def test_its_title_is_in_the_scripts_language(shopper, locale, title, direction):
    shopper.open(body=PLACE, locale=locale)
    button = shopper.element(BUTTON)
    assert button.text == button.get_attribute("aria-label") == title
    assert shopper.run(f"return document.querySelector('{BUTTON}').firstChild.dir") == direction
    shopper.picture(f"script-button-{locale}")


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("{}", USUAL),
        (
            "{type: 'continue', color: 'white', border: 'false', borderRadius: '50'}",
            ["Continue with Apple", 220, 44, "rgb(255, 255, 255)", "50px", "0px"],
        ),
        ("{type: 'sign up', width: '129', height: '65', borderRadius: '51', color: 'red'}", USUAL),
        (
            "{type: 'sign in', width: '375', height: '30', mode: 'left-align'}",
            ["Sign in with Apple", 375, 30, *USUAL[3:]],
        ),
        (
            "{type: 'sign-up', mode: 'logo-only', height: '48'}",
            ["Sign up with Apple", 48, 48, *USUAL[3:]],
        ),
    ],
)
def test_its_attributes_are_followed_within_their_limits(shopper, attributes, expected):
    shopper.open(body=PLACE)
    assert shopper.run(
        f"""{CLEAR}
        const button = draw({attributes});
        const box = button.getBoundingClientRect();
        const style = getComputedStyle(button);
        return [button.getAttribute("aria-label"), box.width, box.height, style.backgroundColor,
          style.borderTopLeftRadius, style.borderTopWidth];
        """
    ) == expected


@pytest.mark.parametrize(("position", "expected"), [("40", "40px"), ("111", ""), ("-1", "")])
def test_positions_count_from_where_reading_starts_to_half_of_the_width(shopper, position, expected):
    shopper.open(body=PLACE)
    assert shopper.run(
        f"""{CLEAR}
        const button = draw({{ width: "220", mode: "left-align",
          labelPosition: "{position}", logoPosition: "{position}" }});
        const [label, logo] = [button.querySelector("span span"), button.querySelector("svg")];
        return [label.style.insetInlineStart, logo.style.insetInlineStart];
        """
    ) == [expected, expected]


def test_a_left_aligned_button_has_a_logo_of_three_sizes_others_of_one(shopper):
    shopper.open(body=PLACE)
    small, medium, large, centered_large, centered_small = shopper.run(
        f"""{CLEAR}
        const width = (mode, logoSize) =>
          draw({{ mode, logoSize }}).querySelector("svg").getBoundingClientRect().width;
        return [...["small", "medium", "large"].map((size) => width("left-align", size)),
          width("center-align", "large"), width("center-align", "small")];
        """
    )
    assert small < medium < large and centered_large == centered_small


@pytest.mark.parametrize(("kind", "count"), [("sign in", 0), ("sign up", 1), ("sign-up", 0)])
def test_what_is_beyond_its_limits_is_told_to_the_developer(shopper, kind, count):
    shopper.open(body=PLACE)
    assert shopper.run(
        f"""{CLEAR}
        let count = 0;
        console.warn = () => {{ count += 1 }};
        draw({{ type: "{kind}" }});
        return count;
        """
    ) == count


def test_the_pictures_have_the_size_asked_for(shopper):
    shopper.open()
    names = [name for name, _ in PICTURES]
    sizes = shopper.browser.driver.execute_script(
        """
        const script = document.querySelector("script[src]").src;
        document.body.replaceChildren(...arguments[0].map((name) => {
          const picture = new Image();
          picture.style = "display:block;margin:0.7rem";
          picture.src = new URL("/appleid/button" + name, script).href;
          return picture;
        }));
        return Promise.all([...document.images].map((picture) => picture.decode().then(
          () => `${picture.naturalWidth}x${picture.naturalHeight}`)));
        """,
        names,
    )
    assert sizes == [size for _, size in PICTURES]
    shopper.picture("button-pictures")

"""An accounts server with the logo, color and links of a team, in Chromium under axe."""

import pytest

from inspector import Inspector
from postgresql import serving, siwa

LOOKS = [
    ("wide-light", 1000, 800, "light", "en"),
    ("wide-dark", 1000, 800, "dark", "en"),
    ("phone-light", 390, 800, "light", "en"),
    ("phone-dark", 390, 800, "dark", "en"),
]
LOGO = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32">
<rect width="96" height="32" rx="4" fill="#14532d"/><circle cx="16" cy="16" r="9" fill="#bbf7d0"/>
<path d="M36 16h48" stroke="#bbf7d0" stroke-width="6"/></svg>
"""
MARK = "return [document.querySelector('.brand img')].map(it => [it.naturalWidth > 0, it.height])[0]"


@pytest.fixture
def acme(serve_settings):
    return serve_settings | {
        "SIWA_APP_NAME": "Acme",
        "SIWA_SERVICES_ID": "com.example.acme.web",
        "SIWA_TERMS_URL": "https://acme.example.com/terms",
        "SIWA_PRIVACY_URL": "https://acme.example.com/privacy",
        "SIWA_SUPPORT_URL": "https://acme.example.com/help",
    }


def inspect(settings, chromium, name):
    with serving(settings) as server:
        chromium.forget()
        inspector = Inspector(chromium, *LOOKS)
        chromium.open(f"http://localhost:{server.port}/sign-in")
        inspector.inspect(f"brand-{name}")
        assert chromium.driver.execute_script(MARK) == [True, 32]
        links = chromium.driver.find_elements("css selector", "footer a")
        assert [link.text for link in links] == ["Terms of use", "Privacy policy", "Support"]
        button = chromium.driver.find_element("css selector", "form button")
        return button.value_of_css_property("background-color")


def test_an_app_without_a_logo_has_its_letter(acme, chromium):
    assert inspect(acme, chromium, "letter") == "rgba(182, 66, 10, 1)"


def test_a_logo_and_a_color(acme, chromium, tmp_path):
    logo = tmp_path / "logo.svg"
    logo.write_text(LOGO)
    settings = acme | {"SIWA_BRAND_LOGO": str(logo), "SIWA_BRAND_COLOR": "#166534"}
    assert inspect(settings, chromium, "logo") == "rgba(22, 101, 52, 1)"


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["doctor"]], ids=["serve", "doctor"])
def test_mistakes_are_reported_with_their_fix(acme, tmp_path, command):
    logo = tmp_path / "logo.svg"
    logo.write_text(LOGO.replace("<rect", "<script/><rect"))
    run = siwa(acme | {"SIWA_BRAND_LOGO": str(logo), "SIWA_BRAND_COLOR": "#ffcc00"}, *command)
    assert run.returncode == 1
    output = run.stdout + run.stderr
    assert "SIWA_BRAND_LOGO" in output and "is an SVG file with a script" in output
    assert "SIWA_BRAND_COLOR" in output and "1.37:1" in output

"""Pages about the emulator, tests, checks, the accounts server and Vapor: a reader copies each block, top to bottom."""

import os
import sys

import pytest

from conftest import REPOSITORY
from pages import Answer, Covered, File, Page, Parsed, Run, Transcript, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")

# The server that a reader of check.md has is an accounts server here.
CHECKED_SERVER = """
key=$(openssl pkey -in AuthKey_JUICEKEY01.p8 -pubout | sed '1d; $d; 3,$s/^/      /')
seed=$(< seed.yaml)
printf '%s\\n' "${seed/…/$key}" > seed.yaml
SIWA_TEAM_ID=JUICETEAM1 SIWA_KEY_ID=JUICEKEY01 SIWA_KEY_FILE=AuthKey_JUICEKEY01.p8 \\
    SIWA_CLIENT_IDS=com.example.juice SIWA_SERVICES_ID=com.example.juice.web SIWA_PUBLIC_URL=http://localhost:8080 \\
    SIWA_APPLE_URL=http://127.0.0.1:8081 SIWA_SEALING_KEYS="k1:$(openssl rand -base64 32)" siwa serve
"""
# test_check.py makes the whole check.
FEW = ("siwa check", "siwa check --only state-sent --only other-app --only consent-revoked")
OWN_PAGE = ("--signed-in /api/me", "--signed-in /")

# Any key works, because the emulator responds in place of Apple.
OWN_VALUES = (
    ("/etc/siwa/apple.p8", "apple.p8"),
    ("k1:…", "k1:" + "A" * 43 + "="),
)
OWN_APPLE = """
openssl genpkey -algorithm ec -pkeyopt ec_paramgen_curve:P-256 -out apple.p8
export SIWA_APPLE_URL=http://127.0.0.1:8081
siwa emulator --port 8081
"""

# A browser that is signed in: it presses Continue, and follows the page to the app.
PRESSING_BROWSER = """
cat > press <<'END'
#!/bin/bash
set -eu
browser() { curl -s -b cookies -c cookies -H "Origin: http://localhost:8080" "$@"; }
page=$(browser -L "$1")
field() { printf %s "$page" | sed -n "s/.*name=\\"$1\\" value=\\"\\([^\\"]*\\)\\".*/\\1/p"; }
app=$(browser -o /dev/null -w '%header{refresh}' http://localhost:8080/sign-in/app/confirm \\
    -d request="$(field request)" -d session="$(field session)" -d action=continue)
browser -o /dev/null "${app#0; url=}"
END
chmod +x press
export BROWSER="./press %s &"
"""

CLIENT = Parsed("a few lines of a program that isn't here; test_apps.py runs such programs")
NEEDS_INSTALLER = Parsed("installs on a machine; test_dist.py does it in a throw-away root")
PUBLISHES = Parsed("publishes a version")
EXAMPLE = Covered("test_testing.py::test_code_is_that_of_the_examples")
# The tests' own libraries, which have the page's versions (test_testing.py).
INSTALLED = (
    "python3 -m venv .venv\n"
    ".venv/bin/pip install pytest==9.2.0 ~/sign-in-with-apple/.artifacts/release/siwa_emulator-*.whl",
    f"ln -s {sys.prefix} .venv",
)
NEEDS_ENGINE = Parsed("needs a container engine; test_containers.py runs the same commands")

# Apple, where the team of operations.md is registered, and another one.
OPERATED_APPLE = """
cat > apple-seed.yaml <<'END'
teams: [{team_id: DEF123GHIJ}, {team_id: RECIPIENT1}]
apps: [{client_id: com.example.app, team_id: DEF123GHIJ}]
services:
  - {client_id: com.example.app.web, primary_client_id: com.example.app,
     return_urls: ["https://accounts.example.com/sign-in/apple/callback"]}
keys:
  - team_id: DEF123GHIJ
    key_id: ABC123DEFG
    public_key_pem: |
END
openssl pkey -in AuthKey_ABC123DEFG.p8 -pubout | sed 's/^/      /' >> apple-seed.yaml
siwa emulator --config apple-seed.yaml
install -m 0640 -g siwa siwa.yaml /etc/siwa/siwa.yaml
"""
OPERATED = (
    ("k1:BASE64", "k1:" + "A" * 43 + "=\nSIWA_APPLE_URL: http://127.0.0.1:8081"),
)
NEEDS_POSTGRESQL = Parsed("needs a PostgreSQL of the machine; test_database_copy.py has one of its own")
# The server of the former version, and the copy that a new version makes before it migrates.
FORMER = """
systemctl stop siwa
sudo -u siwa siwa database backup /var/lib/siwa/siwa.sqlite.before-2 --config /etc/siwa/siwa.yaml
"""
DEMO_SIGN_IN = """
systemctl stop siwa
siwa demo
siwa_credentials=$(curl -s http://127.0.0.1:8082/people/maya@example.com/credentials \
    -d '{"client_id": "com.example.juice", "scopes": ["email"]}')
jq '{identityToken: .identity_token, authorizationCode: .authorization_code}' <<< "$siwa_credentials" |
    curl -s http://localhost:8080/api/sessions/apple -H 'Content-Type: application/json' --data-binary @-
"""

# What the tutorial's reader has at the end is the example.
HELLO_VAPOR = """
example=../sign-in-with-apple/Examples/HelloVapor
for name in Sources Resources Public Tests seed.yaml; do diff -r $name $example/$name; done
sed 's|"../sign-in-with-apple"|"../.."|' Package.swift | diff - $example/Package.swift
"""

PAGES = [
    Page(
        "docs/tutorials/vapor-app.md",
        {
            "mkdir -p HelloVapor": Run("ln -s ~/sign-in-with-apple ."),
            "../sign-in-with-apple/.build/debug/siwa emulator": Run(
                "", (("../sign-in-with-apple/.build/debug/siwa", "siwa"),)
            ),
            # The app itself is not there.
            "curl -s http://127.0.0.1:8082/people": Run(
                "", (("curl -s http://localhost:8080", "jq -e .authorizationCode; #"),)
            ),
        },
        after=HELLO_VAPOR,
    ),
    Page(
        "Examples/HelloVapor/README.md",
        {
            "../../.build/debug/siwa emulator": Run(
                'cp "$CLONE/Examples/HelloVapor/seed.yaml" .', (("../../.build/debug/siwa", "siwa"),)
            ),
            "export APPLE_TEAM_ID=DEF123GHIJ": Run("cp AuthKey.p8 AuthKey_ABC123DEFG.p8"),
        },
    ),
    Page("docs/how-to/use-the-emulator.md", {"teams:": File("seed.yaml")}),
    Page(
        "docs/how-to/testing.md",
        {
            "cd ~/sign-in-with-apple\n": Parsed("a release build"),
            "mkdir ~/sign-in-tests": Run("", (INSTALLED,)),
            "def test_a_person_signs_in(": File("test_first.py"),
            "(cd ~/sign-in-with-apple": Parsed("a release build"),
            "cp ~/sign-in-with-apple/Examples/Languages/python/app.py": Run(
                "", ((".venv/bin/pip install 'PyJWT[crypto]==2.15.1'", ""),)
            ),
            '"""Starts the server': File("conftest.py"),
            "def test_a_person_signs_in_gets": File("test_sign_in.py"),
            "cp -R ~/sign-in-with-apple/Examples/Languages/java": Parsed("downloads; make languages runs these tests"),
            "cp -R ~/sign-in-with-apple/Examples/Languages/node": Parsed("downloads; make languages runs these tests"),
            "@RegisterExtension": EXAMPLE,
            "@Test": EXAMPLE,
            'test("a person': EXAMPLE,
            "$ siwa emulator --json": Covered("processes.py::ready_line"),
            '{"number": 1, ': Answer(),
            "def test_a_code_expires": EXAMPLE,
            "def test_a_person_signs_in_on_the_sheet(apple, apple_person, app, page)": EXAMPLE,
            "def test_a_person_signs_in_on_the_sheet(apple, apple_person, app, browser)": EXAMPLE,
            "test.use(": EXAMPLE,
            "docker run": NEEDS_ENGINE,
            "cp ~/sign-in-with-apple/Examples/Languages/python/test_sheet": Parsed("downloads a browser; make languages runs these tests"),
        },
        refused=("/auth/token",),
    ),
    Page(
        "docs/how-to/ci.md",
        {
            "name: tests\n": Covered("test_testing.py::test_github_workflow"),
            "variables:": Covered("test_testing.py::test_gitlab_workflow"),
            "docker load": NEEDS_ENGINE,
            "# The emulator, the server under test": Covered("test_testing.py::test_compose_services"),
            '"""A person signs in to a running server': EXAMPLE,
            "docker compose up": NEEDS_ENGINE,
        },
    ),
    Page(
        "docs/how-to/testcontainers.md",
        {
            "docker load": NEEDS_ENGINE,
            '"""The emulator runs in a container': Covered("test_testing.py::test_testcontainers_in_python"),
            "import static": EXAMPLE,
        },
    ),
    Page(
        "docs/how-to/release.md",
        {
            "git tag --sign v0.1.0": PUBLISHES,
            "git clone --branch v0.1.0 https://github.com/OWNER/sign-in-with-apple /src/sign-in-with-apple\n"
            "cd /src/sign-in-with-apple\ncp ~/tested": Parsed("a release build"),
            "cd .artifacts/release": PUBLISHES,
            "cd /src/sign-in-with-apple\ngit switch": PUBLISHES,
            "sha256sum": Run("touch siwa.deb; sha256sum siwa.deb absent.deb > checksums.txt 2> /dev/null || true"),
            "git clone --branch v0.1.0 https://github.com/OWNER/sign-in-with-apple /src/sign-in-with-apple\n"
            "cd /src/sign-in-with-apple\ncp ~/download": Parsed("a release build"),
        },
    ),
    Page(
        "docs/how-to/check.md",
        {
            "teams:": File("seed.yaml"),
            "siwa check http://localhost:8080/sign-in/apple --signed-in /api/me --config seed.yaml\n": Run(
                CHECKED_SERVER, (FEW, OWN_PAGE)
            ),
            "siwa check http://localhost:8080/sign-in/apple --signed-in / --delete": Run("make run", (FEW,)),
            "FAILS ": Covered("test_check.py::test_formats_and_chosen_checks"),
            "siwa check http://localhost:8080/sign-in/apple --signed-in /api/me --config seed.yaml --format": Run(
                CHECKED_SERVER, (FEW, OWN_PAGE)
            ),
        },
    ),
    Page(
        "docs/how-to/access-tokens.md",
        {
            "import AccountsAccessTokens": Parsed("AccessTokenMiddlewareTests compiles and compares it"),
            'echo "$token"': Run("", (("python3 Examples", f"{sys.executable} {REPOSITORY}/Examples"),)),
        },
    ),
    Page(
        "docs/how-to/run-the-accounts-server.md",
        {
            "SIWA_TEAM_ID: ": File("siwa.yaml", OWN_VALUES),
            "chmod 600 siwa.yaml": Run(OWN_APPLE),
        },
    ),
    Page(
        "docs/how-to/install.md",
        {
            "tar -xzf siwa-0.1.0-linux-x86_64.tar.gz\n": NEEDS_INSTALLER,
            "tar -xzf siwa-0.1.0-linux-x86_64.tar.gz -C": NEEDS_INSTALLER,
            "apt install": NEEDS_INSTALLER,
            "systemctl enable": NEEDS_INSTALLER,
            "docker load": NEEDS_ENGINE,
            "docker run": NEEDS_ENGINE,
            "deployment/compose-secrets": NEEDS_ENGINE,
        },
    ),
    Page(
        "docs/reference/emulator.md",
        {
            "siwa emulator --host 0.0.0.0": Run("", (("emulator", "emulator --config seed.yaml"),)),
            '{"type": "about:blank", "title": "Unprocessable Content", "status": 422, "code": "wrong_field", '
            '"field": "email"': Answer("command curl -s $control/people -d '{\"email\": \"maya\"}'"),
            "# yaml-language-server": File("seed.yaml", is_first=True),
            "people:": Covered("test_reference.py::test_every_seed_of_the_page_is_read"),
            "teams:\n  - {team_id": Covered("test_reference.py::test_every_seed_of_the_page_is_read"),
            "# In the seed file": Covered("test_reference.py::test_every_seed_of_the_page_is_read"),
            "<script": Covered("test_web_script.py::test_"),
            "<img": Covered("test_script_button.py::test_"),
            '{\n  "id":': Parsed("a sample whose values differ each time"),
            "# PyJWT": CLIENT,
            "// Node": CLIENT,
            "// Go": CLIENT,
            "# Java": CLIENT,
            '{"type": "about:blank", "title": "Unprocessable Content", "status": 422, "code": "wrong_field", '
            '"field": "consents': Answer(
                "jq '.consents[0].person_id = 99' state.json | command curl -s $control/import --data-binary @-"
            ),
        },
        refused=('"fault": ',),
    ),
    Page(
        "docs/how-to/operations.md",
        {
            "scripts/setup run": Parsed("a release build"),
            "SIWA_TEAM_ID: DEF123GHIJ": File("siwa.yaml", OPERATED),
            "install -D": Run(OPERATED_APPLE),
            "cd /": NEEDS_POSTGRESQL,
            "systemctl cat siwa": Parsed("two servers need PostgreSQL; test_replicas.py runs nginx.conf"),
            "sudo -u siwa env SIWA_DATABASE_URL=postgres": NEEDS_POSTGRESQL,
            "sudo -u siwa siwa database copy": NEEDS_POSTGRESQL,
            "sh -eu": Run(FORMER),
            "SIWA_TEAM_ID: JUICETEAM1": File("sender.yaml"),
            "control=": Run(DEMO_SIGN_IN, (("late.jsonl", "late.jsonl || [ $? = 1 ]"),)),
            "sudo -u siwa siwa database backup": Run("rm /var/lib/siwa/copy.sqlite*; systemctl start siwa"),
            "install -m 0600 -o siwa": NEEDS_POSTGRESQL,
            "# prometheus.yml": Parsed("needs Prometheus"),
        },
        needs_root=True,
    ),
    Page("docs/reference/commands.md", {"$ siwa emulater": Transcript()}),
    Page(
        "docs/reference/app.md",
        {
            "make run": Run("mkdir -p .build/debug; ln -s ../../../programs/siwa .build/debug/siwa"),
            "== Juice": Covered("test_app.py::test_the_page_shows_a_conversation_on_a_new_device"),
        },
    ),
    Page(
        "docs/reference/accounts.md",
        {
            "GET /sign-in/app": Covered("test_app_sign_in.py::test_an_app_signs_in_with_apple"),
            "server=http://localhost:8080": Run("siwa demo"),
            "import base64": Run(PRESSING_BROWSER),
        },
    ),
    Page(
        "Examples/Languages/README.md",
        {"make languages": Parsed("installs 700 MB; make nightly runs it")},
    ),
]


@pytest.mark.parametrize("page", [page for page in PAGES if not page.needs_root], ids=lambda page: page.path)
def test_a_page_runs_from_top_to_bottom(page, tmp_path):
    run(page, tmp_path)


@pytest.mark.nightly
@pytest.mark.skipif(os.geteuid() != 0, reason="these pages install something")
@pytest.mark.parametrize("page", [page for page in PAGES if page.needs_root], ids=lambda page: page.path)
def test_a_page_runs_as_root_from_top_to_bottom(page, tmp_path):
    run(page, tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_no_block_is_forgotten(page):
    assert page.blocks()

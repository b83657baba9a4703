"""What dependents resolve: the app kit alone, and the library without the servers."""

import json
import subprocess

from conftest import REPOSITORY
from processes import blocks

# The kit hashes nonces with swift-crypto, which depends on swift-asn1.
KIT = {"swift-asn1", "swift-crypto"}
SERVER_ONLY = {"grdb.swift", "hummingbird", "swift-argument-parser", "swift-mustache", "yams"}

PAGE = (REPOSITORY / "docs/how-to/verify-tokens.md").read_text(encoding="utf-8")
MANIFEST = blocks(PAGE, "swift")[0]
LIBRARY = '.product(name: "SignInWithApple", package: "sign-in-with-apple")'


def resolved(folder, manifest):
    """What the package resolves in a folder next to the clone."""
    (folder / "sign-in-with-apple").symlink_to(REPOSITORY)
    package = folder / "package"
    (package / "Sources/Server").mkdir(parents=True)
    (package / "Sources/Server/Server.swift").write_text("")
    (package / "Package.swift").write_text(manifest)
    subprocess.run(["swift", "package", "resolve"], cwd=package, check=True, timeout=300)
    pins = json.loads((package / "Package.resolved").read_text())["pins"]
    return {pin["identity"] for pin in pins}


def test_an_app_resolves_two_packages(tmp_path):
    names = ["SignInKit", "SignInKitUI", "SimulatedAuthenticationServices"]
    products = ", ".join(LIBRARY.replace("SignInWithApple", name) for name in names)
    manifest = MANIFEST.replace(LIBRARY, products).replace('["Library"]', "[]")
    assert "SignInKitUI" in manifest and "traits: []" in manifest
    assert resolved(tmp_path, manifest) == KIT


def test_the_library_of_the_how_to_resolves_no_server(tmp_path):
    packages = resolved(tmp_path, MANIFEST)
    assert KIT < packages
    assert not packages & SERVER_ONLY


def test_a_hummingbird_server_with_its_tests_resolves_no_database(tmp_path):
    names = ["SignInWithAppleHummingbird", "AppleEmulatorTesting"]
    products = ", ".join(LIBRARY.replace("SignInWithApple", name) for name in names)
    manifest = MANIFEST.replace(LIBRARY, products).replace('["Library"]', '["Hummingbird", "Testing"]')
    assert "AppleEmulatorTesting" in manifest and "Testing" in manifest
    packages = resolved(tmp_path, manifest)
    assert {"hummingbird", "yams"} < packages
    assert not packages & (SERVER_ONLY - {"hummingbird", "yams"})

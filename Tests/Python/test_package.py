"""What dependents resolve: the app kit alone, and the library without the servers."""

import json
import subprocess

from conftest import REPOSITORY

# The kit hashes nonces with swift-crypto, which depends on swift-asn1.
KIT = {"swift-asn1", "swift-crypto"}
SERVER_ONLY = {"grdb.swift", "hummingbird", "swift-argument-parser", "swift-mustache", "yams"}

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "dependent",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sign-in-with-apple", path: "%s", traits: [%s])],
    targets: [
        .target(name: "Dependent", dependencies: [%s])
    ]
)
"""


def resolved(folder, traits, *products):
    (folder / "Sources/Dependent").mkdir(parents=True)
    (folder / "Sources/Dependent/Dependent.swift").write_text("")
    names = [f'.product(name: "{name}", package: "sign-in-with-apple")' for name in products]
    (folder / "Package.swift").write_text(MANIFEST % (REPOSITORY, traits, ", ".join(names)))
    subprocess.run(["swift", "package", "resolve"], cwd=folder, check=True, timeout=300)
    pins = json.loads((folder / "Package.resolved").read_text())["pins"]
    return {pin["identity"] for pin in pins}


def test_an_app_resolves_two_packages(tmp_path):
    products = ["SignInKit", "SignInKitUI", "SimulatedAuthenticationServices"]
    assert resolved(tmp_path, "", *products) == KIT


def test_the_library_resolves_no_server(tmp_path):
    packages = resolved(tmp_path, '"Library"', "SignInWithApple")
    assert KIT < packages
    assert not packages & SERVER_ONLY

"""What dependents resolve: the app kit alone, and the library without the servers."""

import json
import subprocess

import pytest

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
        .target(
            name: "Dependent",
            dependencies: [.product(name: "%s", package: "sign-in-with-apple")]
        )
    ]
)
"""


def resolved(folder, traits, product):
    (folder / "Sources/Dependent").mkdir(parents=True)
    (folder / "Sources/Dependent/Dependent.swift").write_text("")
    (folder / "Package.swift").write_text(MANIFEST % (REPOSITORY, traits, product))
    subprocess.run(["swift", "package", "resolve"], cwd=folder, check=True, timeout=300)
    pins = json.loads((folder / "Package.resolved").read_text())["pins"]
    return {pin["identity"] for pin in pins}


@pytest.mark.parametrize("product", ["SignInKit", "SignInKitUI", "SimulatedAuthenticationServices"])
def test_an_app_resolves_two_packages(tmp_path, product):
    assert resolved(tmp_path, "", product) == KIT


def test_the_library_resolves_no_server(tmp_path):
    packages = resolved(tmp_path, '"Library"', "SignInWithApple")
    assert KIT < packages
    assert not packages & SERVER_ONLY

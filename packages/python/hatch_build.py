"""Gives the wheel the version, the command and the platform of the program in it; without a program it has none.

scripts/wheel puts the program into siwa_emulator/_program, and names the platform in SIWA_WHEEL_PLATFORM.
"""

import os
import pathlib
import re
import subprocess

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PROGRAM = "siwa_emulator/_program/bin/siwa"
SBOM = "siwa.sbom.json"


def packaged_program(root):
    program = pathlib.Path(root, PROGRAM)
    return program if program.exists() else None


class ProgramMetadata(MetadataHookInterface):
    def update(self, metadata):
        program = packaged_program(self.root)
        if program:
            told = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)
            metadata["version"] = told.stdout.strip()
            metadata["scripts"] = {"siwa": "siwa_emulator.program:main"}
        else:
            source = pathlib.Path(self.root, "../../Sources/Command/siwa/Version.swift").read_text()
            metadata["version"] = re.search(r'current = "(.*)"', source)[1]
            metadata["scripts"] = {}


class ProgramBuild(BuildHookInterface):
    def initialize(self, version, build_data):
        if packaged_program(self.root):
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{os.environ['SIWA_WHEEL_PLATFORM']}"
        if pathlib.Path(self.root, SBOM).exists():
            build_data["sbom_files"].append(SBOM)

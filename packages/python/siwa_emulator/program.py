"""Where the program siwa is."""

import os
import pathlib
import shutil
import sys

PACKAGED = pathlib.Path(__file__).with_name("_program") / "bin" / "siwa"


class EmulatorError(Exception):
    """The emulator was not found, or did not start."""


def find_program() -> str:
    """The path of siwa: from SIWA_BINARY, else in the PATH, else in this package."""
    named = os.environ.get("SIWA_BINARY")
    if named:
        return named
    found = shutil.which("siwa") or shutil.which(PACKAGED)
    if found is None:
        raise EmulatorError(
            "siwa was not found: SIWA_BINARY is not set, the PATH has no siwa, and this package has no "
            f"{PACKAGED}. Install a wheel of siwa-emulator that contains it, or set SIWA_BINARY or SIWA_CONTROL_URL"
        )
    return os.fspath(found)


def main() -> None:
    """The command siwa: becomes the program of this package, because the PATH would find the command again."""
    try:
        os.execv(PACKAGED, [os.fspath(PACKAGED), *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"siwa: this installation of siwa-emulator has no program: {error}")

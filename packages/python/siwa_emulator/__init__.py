"""An emulator of Sign in with Apple for tests. The fixtures of pytest are in `siwa_emulator.plugin`."""

from siwa_emulator.apple import Apple, Person
from siwa_emulator.emulator import running_emulator, world
from siwa_emulator.program import EmulatorError, find_program

__all__ = ["Apple", "EmulatorError", "Person", "find_program", "running_emulator", "world"]

"""`python -m siwa_emulator` is the command siwa, also where the PATH does not have it."""

from siwa_emulator.program import main

main()

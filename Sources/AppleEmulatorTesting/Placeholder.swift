enum AppleEmulatorTestingPlaceholder {}

enum AppleEmulatorPlaceholder {}

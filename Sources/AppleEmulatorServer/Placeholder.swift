enum AppleEmulatorServerPlaceholder {}

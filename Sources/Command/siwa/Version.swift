/// The version of the program, which `siwa --version`, the archive, the packages and the image use.
enum Version {
    /// [Semantic Versioning](https://semver.org): a breaking change raises the second number while the first is 0, and
    /// the first number later.
    static let current = "0.1.0"
}

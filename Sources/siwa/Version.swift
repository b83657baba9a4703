/// The version of the program: `siwa --version`, the archive, the Debian package and the image all take it from here.
enum Version {
    /// As in [Semantic Versioning](https://semver.org): a change that breaks what others rely on raises the first number
    /// above 0, and the second one before.
    static let current = "0.1.0"
}

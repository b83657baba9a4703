/// Where the accounts are stored.
public enum DatabaseAddress: Hashable, Sendable {
    /// A SQLite file at this path.
    case sqlite(path: String)

    /// Reads an address.
    ///
    /// - Parameter text: `sqlite:PATH`.
    /// - Throws: ``ConfigurationError`` about `SIWA_DATABASE_URL`.
    public init(_ text: String) throws(ConfigurationError) {
        let scheme = "sqlite:"
        guard text.hasPrefix(scheme), text.count > scheme.count else {
            // The address may carry a password: it is not repeated.
            throw ConfigurationError(
                "SIWA_DATABASE_URL",
                "is not the address of a SQLite file",
                fix: "write sqlite:PATH, for example sqlite:/var/lib/siwa/siwa.sqlite"
            )
        }
        self = .sqlite(path: String(text.dropFirst(scheme.count)))
    }
}

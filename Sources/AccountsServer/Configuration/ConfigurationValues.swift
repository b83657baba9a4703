import Configuration
import Foundation

/// The settings by name; an empty one counts as missing.
struct ConfigurationValues: Sendable {
    private let reader: ConfigReader

    init(_ reader: ConfigReader) {
        self.reader = reader
    }

    func optional(_ name: String) -> String? {
        let key = ConfigKey([name])
        let isSecret = AccountsServerConfiguration.secretNames.contains(name)
        let text =
            reader.string(forKey: key, isSecret: isSecret)
            // A file may have a list where the environment has commas.
            ?? reader.stringArray(forKey: key, isSecret: isSecret)?.joined(separator: ",")
        let value = text?.trimmingCharacters(in: .whitespacesAndNewlines)
        return value?.isEmpty == false ? value : nil
    }

    func required(_ name: String, fix: String) throws(ConfigurationError) -> String {
        guard let value = optional(name) else {
            throw ConfigurationError(name, "is not set", fix: fix)
        }
        return value
    }

    /// The entries of a comma list, without white space around them.
    func list(_ name: String) -> [String] {
        optional(name)?
            .split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.isEmpty } ?? []
    }

    func boolean(_ name: String) throws(ConfigurationError) -> Bool {
        switch optional(name)?.lowercased() {
        case nil, "false": return false
        case "true": return true
        default:
            throw ConfigurationError(name, "is neither true nor false", fix: "write true or false")
        }
    }

    /// One of a few words; nil when nothing is set.
    func choice<Choice: RawRepresentable<String>>(
        _ name: String,
        of choices: [Choice]
    ) throws(ConfigurationError) -> Choice? {
        guard let text = optional(name)?.lowercased() else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = choices.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError(name, "has an unknown value", fix: "write one of \(words)")
        }
        return choice
    }

    /// Whether the settings say that Apple is an emulator, which plain `http` may lead to.
    func isAppleEmulator() throws(ConfigurationError) -> Bool {
        try boolean("SIWA_APPLE_IS_EMULATOR")
    }

    func appleServer(_ name: String) throws(ConfigurationError) -> URL? {
        do {
            return try server(name, allowingPlainHTTP: try isAppleEmulator())
        } catch {
            guard let url = optional(name).flatMap({ URL(string: $0) }),
                url.scheme?.lowercased() == "http", url.host() != nil
            else { throw error }
            throw ConfigurationError(
                error.variable,
                error.message,
                fix: "use https, or set SIWA_APPLE_IS_EMULATOR=true when it is a siwa emulator"
            )
        }
    }

    func server(
        _ name: String,
        allowingPlainHTTP isPlainHTTPAllowed: Bool = false
    ) throws(ConfigurationError) -> URL? {
        guard let text = optional(name) else { return nil }
        guard let url = URL(string: text) else {
            throw ConfigurationError(
                name,
                "is not an address",
                fix: "write it like https://accounts.example.com"
            )
        }
        _ = try ServerAddress(url, variable: name, allowingPlainHTTP: isPlainHTTPAllowed)
        return url
    }
}

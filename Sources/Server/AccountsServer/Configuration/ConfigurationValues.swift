import Configuration
import Foundation
import SignInWithApple

/// The settings by name; an empty value counts as missing.
struct ConfigurationValues: Sendable {
    private let reader: ConfigReader

    init(_ reader: ConfigReader) {
        self.reader = reader
    }

    /// Returns a setting; nil when it is missing, or a secret whose file cannot be used.
    func optional(_ name: String) -> String? {
        (try? secret(name)) ?? nil
    }

    /// Returns a setting without regard to its file.
    func text(_ name: String) -> String? {
        let key = ConfigKey([name])
        let isSecret = Setting.secretNames.contains(name)
        let text =
            reader.string(forKey: key, isSecret: isSecret)
            // A file may have a list where the environment has a comma-separated string.
            ?? reader.stringArray(forKey: key, isSecret: isSecret)?.joined(separator: ",")
        let value = text?.trimmingCharacters(in: .whitespacesAndNewlines)
        return value?.isEmpty == false ? value : nil
    }

    func required(_ name: String, fix: String) throws(ConfigurationError) -> String {
        guard let value = try secret(name) else {
            throw ConfigurationError(name, "is not set", fix: fix)
        }
        return value
    }

    /// Returns the entries of a comma-separated list, without surrounding white space.
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
            throw ConfigurationError(name, "is neither true nor false", fix: "use true or false")
        }
    }

    /// Returns one of the allowed words; nil when the setting is missing.
    func choice<Choice: RawRepresentable<String>>(
        _ name: String,
        of choices: [Choice]
    ) throws(ConfigurationError) -> Choice? {
        guard let text = optional(name)?.lowercased() else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = choices.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError(name, "has an unknown value", fix: "use one of \(words)")
        }
        return choice
    }

    /// Returns a whole number of the range; nil when the setting is missing.
    func number(_ name: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
        guard let text = optional(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let limits = "from \(range.lowerBound) to \(range.upperBound)"
            throw ConfigurationError(
                name,
                "is not a whole number \(limits)",
                fix: "use a number of this range, or remove the setting"
            )
        }
        return number
    }

    /// Whether Apple's URLs belong to an emulator, for which plain HTTP is allowed.
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
                fix: "use https, or set SIWA_APPLE_IS_EMULATOR=true if it is a siwa emulator"
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
                "is not a URL",
                fix: "use the form https://accounts.example.com"
            )
        }
        _ = try SiteOrigin(url, variable: name, allowingPlainHTTP: isPlainHTTPAllowed)
        return url
    }
}

import AppleIdentity
import Foundation

extension AppleSignIn.Configuration {
    /// Creates the settings from environment variables.
    ///
    /// | variable | value |
    /// |---|---|
    /// | `APPLE_URL` | `https://appleid.apple.com`, or the URL of an emulator |
    /// | `APPLE_CLIENT_IDS` | the bundle identifiers of your apps, separated by commas |
    /// | `APPLE_SERVICES_IDS` | the Services IDs of your sites, separated by commas |
    /// | `APPLE_TEAM_ID`, `APPLE_KEY_ID` | the team, and its key at Apple |
    /// | `APPLE_KEY_FILE` | the path of the key's `.p8` file; without it, tokens are only verified |
    ///
    /// `APPLE_URL` has no default, because a forgotten one would send requests to Apple.
    ///
    /// - Parameter environment: the variables; those of the process by default.
    /// - Throws: `configuration_invalid` about a missing or unusable variable, and `client_secret_key_invalid` about the
    ///   key. The hint names the variable.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SignInError) {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        func clients(_ name: String) -> [ClientID] {
            (value(name) ?? "").split(separator: ",")
                .map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty }
                .map { ClientID($0) }
        }
        guard let url = value("APPLE_URL").flatMap({ URL(string: $0) }) else {
            throw Self.unusable("APPLE_URL is not set, or not a URL")
        }
        let service = AppleService(url: url)
        if let mistake = service.addressMistake { throw Self.unusable("APPLE_URL: \(mistake)") }
        self.init(
            appIDs: clients("APPLE_CLIENT_IDS"),
            servicesIDs: clients("APPLE_SERVICES_IDS"),
            key: try value("APPLE_KEY_FILE").map { path throws(SignInError) in
                try ClientSecretKey(
                    pem: try Self.keyFile(path),
                    keyID: KeyID(value("APPLE_KEY_ID") ?? ""),
                    teamID: TeamID(value("APPLE_TEAM_ID") ?? "")
                )
            },
            service: service
        )
        guard !clientIDs.isEmpty else {
            throw Self.unusable("neither APPLE_CLIENT_IDS nor APPLE_SERVICES_IDS is set")
        }
    }

    private static func keyFile(_ path: String) throws(SignInError) -> String {
        let content: Data?
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            // One byte more, so that a larger file is refused.
            content = try file.read(upToCount: ClientSecretKey.maximumByteCount + 1)
        } catch {
            throw unusable("the file of APPLE_KEY_FILE cannot be read")
        }
        return String(decoding: content ?? Data(), as: UTF8.self)
    }

    private static func unusable(_ hint: String) -> SignInError {
        SignInError(.configurationInvalid, hint: hint)
    }
}

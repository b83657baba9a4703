import AppleIdentity
import Foundation

extension AppleSignIn.Configuration {
    /// Creates the settings from environment variables.
    ///
    /// | variable | value |
    /// |---|---|
    /// | `APPLE_URL` | `https://appleid.apple.com`, or the URL of an emulator: `https`, or `http` on this machine |
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
            key: try Self.key(value),
            service: service
        )
        guard Set(appIDs).isDisjoint(with: servicesIDs) else {
            throw Self.unusable("an ID is in both APPLE_CLIENT_IDS and APPLE_SERVICES_IDS")
        }
        guard !clientIDs.isEmpty else {
            throw Self.unusable("neither APPLE_CLIENT_IDS nor APPLE_SERVICES_IDS is set")
        }
    }

    private static func key(
        _ value: (String) -> String?
    ) throws(SignInError) -> ClientSecretKey? {
        let (file, keyID, teamID) = ("APPLE_KEY_FILE", "APPLE_KEY_ID", "APPLE_TEAM_ID")
        guard let path = value(file) else {
            guard value(keyID) == nil, value(teamID) == nil else {
                throw unusable("\(keyID) or \(teamID) is set without \(file)")
            }
            return nil
        }
        let pem = try keyFile(path)
        do {
            return try ClientSecretKey(
                pem: pem,
                keyID: KeyID(value(keyID) ?? ""),
                teamID: TeamID(value(teamID) ?? "")
            )
        } catch {
            throw SignInError(error.code, hint: "\(file), \(keyID), \(teamID): \(error.hint)")
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

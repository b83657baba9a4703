import Accounts
import AppleIdentity
import Configuration
import Foundation
import SignInWithApple

extension AccountsServerConfiguration {
    /// The maximum length of the app's name, in characters.
    package static let maximumAppNameCharacterCount = 50
    /// The maximum number of clients.
    package static let maximumClientCount = 100

    /// Reads the `SIWA_` settings from a dictionary, and the key file; throws
    /// ``ConfigurationErrors`` with every invalid setting and its fix.
    package init(values: [String: String]) throws(ConfigurationErrors) {
        try self.init(reader: ConfigReader(provider: Self.provider(of: values)))
    }

    /// Returns a provider of the given settings, such as those of command-line flags.
    package static func provider(of values: [String: String]) -> some ConfigProvider {
        InMemoryProvider(
            values: Dictionary(
                uniqueKeysWithValues: values.map { name, value in
                    let isSecret = Setting.secretNames.contains(name)
                    let value = ConfigValue(.string(value), isSecret: isSecret)
                    return (AbsoluteConfigKey([name]), value)
                }
            )
        )
    }

    /// Reads the settings and the key file; throws ``ConfigurationErrors`` with every invalid one.
    package init(reader: ConfigReader) throws(ConfigurationErrors) {
        let values = ConfigurationValues(reader)
        var mistakes = MistakeList()
        for name in Setting.secretNames.sorted() { mistakes.note(try values.secret(name)) }
        let (native, servicesIDs) = Self.clients(values)
        mistakes.note(try Self.check(native + servicesIDs))
        let key = Self.key(values, &mistakes)
        let service = Self.service(values, &mistakes)
        let origin = mistakes.note(try Self.origin(values, service))
        let database = mistakes.note(try DatabaseAddress(values))
        let sealer = mistakes.note(try Self.sealer(values))
        let mail = MailSettings(values, &mistakes)
        var changes: [Setting.Change] = []
        for setting in Setting.all {
            if let change = mistakes.note(try setting.read(values)) { changes.append(change) }
        }
        guard mistakes.isEmpty, let key, let origin, let database, let sealer else {
            throw ConfigurationErrors(mistakes.all)
        }
        let apple = AppleSignIn.Configuration(
            appIDs: native,
            servicesIDs: servicesIDs,
            key: key,
            service: service
        )
        self.init(
            origins: [origin],
            database: database,
            apple: apple,
            nativeClientIDs: Set(native),
            servicesIDs: servicesIDs,
            sealer: sealer,
            mail: mail
        )
        for change in changes { change(&self) }
    }

    /// Returns the app's name if it is not too long.
    static func checkedAppName(_ name: String) throws(ConfigurationError) -> String {
        guard name.count <= maximumAppNameCharacterCount else {
            throw ConfigurationError(
                "SIWA_APP_NAME",
                "has more than \(maximumAppNameCharacterCount) characters",
                fix: "use the app's public name"
            )
        }
        return name
    }

    private static func clients(
        _ values: ConfigurationValues
    ) -> (native: [ClientID], servicesIDs: [ClientID]) {
        (
            values.list("SIWA_CLIENT_IDS").map { ClientID($0) },
            values.list("SIWA_SERVICES_ID").map { ClientID($0) }
        )
    }

    private static func check(_ clients: [ClientID]) throws(ConfigurationError) {
        let name = "SIWA_CLIENT_IDS"
        guard !clients.isEmpty else {
            throw ConfigurationError(
                name,
                "is not set, nor is SIWA_SERVICES_ID",
                fix: "list the apps' bundle IDs, or set SIWA_SERVICES_ID for the web, or both"
            )
        }
        guard clients.count <= maximumClientCount else {
            throw ConfigurationError(
                name,
                "lists more than \(maximumClientCount) clients",
                fix: "list only the clients that use this server"
            )
        }
        guard Set(clients).count == clients.count else {
            throw ConfigurationError(
                name,
                "or SIWA_SERVICES_ID lists an ID twice, or an ID is in both",
                fix: "list each bundle ID once, and each Services ID only in SIWA_SERVICES_ID"
            )
        }
        for client in clients {
            guard client.rawValue.wholeMatch(of: /[A-Za-z0-9.\-]{1,255}/) != nil else {
                throw ConfigurationError(
                    name,
                    "or SIWA_SERVICES_ID contains an ID with characters other than letters, digits, . and -",
                    fix: "use IDs such as com.example.app, without the team ID as a prefix"
                )
            }
        }
    }

    /// Reads only the URLs of Apple's service.
    static func service(_ values: ConfigurationValues) throws(ConfigurationError) -> AppleService {
        var mistakes = MistakeList()
        let service = service(values, &mistakes)
        if let first = mistakes.all.first { throw first }
        return service
    }

    private static func service(
        _ values: ConfigurationValues,
        _ mistakes: inout MistakeList
    ) -> AppleService {
        let isEmulator = mistakes.note(try values.isAppleEmulator())
        let url = mistakes.note(try values.appleServer("SIWA_APPLE_URL")) ?? nil
        let browserURL = mistakes.note(try values.appleServer("SIWA_APPLE_BROWSER_URL")) ?? nil
        let issuer = values.optional("SIWA_APPLE_ISSUER") ?? AppleService.appleIssuer
        let address = url ?? AppleService.apple.url
        return isEmulator == true
            ? .emulator(url: address, browserURL: browserURL, issuer: issuer)
            : AppleService(url: address, browserURL: browserURL, issuer: issuer)
    }

    private static func key(
        _ values: ConfigurationValues,
        _ mistakes: inout MistakeList
    ) -> ClientSecretKey? {
        let teamID = mistakes.note(
            try identifier(
                "SIWA_TEAM_ID",
                values,
                fix: "use the ten characters on Apple's membership page",
                isWellFormed: { TeamID($0).isWellFormed }
            )
        )
        let keyID = mistakes.note(
            try identifier(
                "SIWA_KEY_ID",
                values,
                fix: "use the ten characters between AuthKey_ and .p8 in the key file's name",
                isWellFormed: { KeyID($0).isWellFormed }
            )
        )
        let pem = mistakes.note(try values.keyText())
        guard let teamID, let keyID, let pem else { return nil }
        return mistakes.note(try key(pem, values.keyName, KeyID(keyID), TeamID(teamID)))
    }

    private static func key(
        _ pem: String,
        _ name: String,
        _ keyID: KeyID,
        _ teamID: TeamID
    ) throws(ConfigurationError) -> ClientSecretKey {
        do {
            return try ClientSecretKey(pem: pem, keyID: keyID, teamID: teamID)
        } catch {
            throw ConfigurationError(name, "is not a key file from Apple", fix: error.hint)
        }
    }

    private static func identifier(
        _ name: String,
        _ values: ConfigurationValues,
        fix: String,
        isWellFormed: (String) -> Bool
    ) throws(ConfigurationError) -> String {
        let text = try values.required(name, fix: fix)
        guard isWellFormed(text) else {
            throw ConfigurationError(name, "is not ten capital letters or digits", fix: fix)
        }
        return text
    }

    private static func origin(
        _ values: ConfigurationValues,
        _ service: AppleService
    ) throws(ConfigurationError) -> WebOrigin {
        let name = "SIWA_PUBLIC_URL"
        try requirePublicURL(values)
        var local = URLComponents()
        local.scheme = "http"
        local.host = "localhost"
        guard let url = try values.server(name) ?? local.url else {
            throw ConfigurationError(name, "is not a URL", fix: "set it")
        }
        return try WebOrigin(publicURL: url, appleBrowserURL: service.browserURL)
    }

    /// Throws when the public URL is missing, and a setting puts it into mail, tokens or redirects.
    static func requirePublicURL(_ values: ConfigurationValues) throws(ConfigurationError) {
        let users = [
            "SIWA_SERVICES_ID", "SIWA_SMTP_URL", AppRedirects.settingName,
            TokenAudiences.settingName, IntrospectionSecrets.settingName,
        ]
        .filter { !values.list($0).isEmpty }
        guard !users.isEmpty, values.optional("SIWA_PUBLIC_URL") == nil else { return }
        throw ConfigurationError(
            "SIWA_PUBLIC_URL",
            "is not set, but required with \(users.joined(separator: ", "))",
            fix: "set it to this server's public URL, such as https://accounts.example.com"
        )
    }

    /// Whether a setting has a value; returns false when it is missing or empty.
    package static func isSet(_ name: String, reader: ConfigReader) -> Bool {
        ConfigurationValues(reader).optional(name) != nil
    }

    /// Reads the clients; ignores the other settings.
    package static func clients(reader: ConfigReader) -> [ClientID] {
        let (native, servicesIDs) = clients(ConfigurationValues(reader))
        return servicesIDs + native
    }

    /// Reads the key of client secrets and ignores the other settings; throws
    /// ``ConfigurationErrors`` about `SIWA_TEAM_ID`, `SIWA_KEY_ID`, `SIWA_KEY` and `SIWA_KEY_FILE`.
    package static func clientSecretKey(
        reader: ConfigReader
    ) throws(ConfigurationErrors) -> ClientSecretKey {
        var mistakes = MistakeList()
        guard let key = key(ConfigurationValues(reader), &mistakes) else {
            throw ConfigurationErrors(mistakes.all)
        }
        return key
    }

    /// Reads the configuration for requests of the team to Apple, and ignores the other settings;
    /// throws ``ConfigurationErrors`` about the key, Apple's URLs, the relay domains and the proxy.
    package static func apple(
        reader: ConfigReader
    ) throws(ConfigurationErrors) -> (AppleSignIn.Configuration, AppleProxy?) {
        var mistakes = MistakeList()
        let values = ConfigurationValues(reader)
        let service = service(values, &mistakes)
        let relayDomains = mistakes.note(try RelayDomains(values))
        let proxy = mistakes.note(try AppleProxy(values)) ?? nil
        guard let key = key(values, &mistakes), let relayDomains, mistakes.isEmpty else {
            throw ConfigurationErrors(mistakes.all)
        }
        let (native, servicesIDs) = clients(values)
        var apple = AppleSignIn.Configuration(
            appIDs: native,
            servicesIDs: servicesIDs,
            key: key,
            service: service
        )
        apple.relayDomains = relayDomains
        return (apple, proxy)
    }

    /// Reads the sealing (encryption) keys and ignores the other settings; throws
    /// ``ConfigurationError`` about `SIWA_SEALING_KEYS`.
    package static func sealer(reader: ConfigReader) throws(ConfigurationError) -> TokenSealer {
        try sealer(ConfigurationValues(reader))
    }

    /// Returns whether mail is configured and its settings are valid.
    package static func hasMail(reader: ConfigReader) -> Bool {
        var mistakes = MistakeList()
        return MailSettings(ConfigurationValues(reader), &mistakes) != nil
    }

    private static func sealer(
        _ values: ConfigurationValues
    ) throws(ConfigurationError) -> TokenSealer {
        let name = "SIWA_SEALING_KEYS"
        let text = try values.required(
            name,
            fix:
                "set it to id:base64 with 32 random bytes, for example k1:$(openssl rand -base64 32)"
        )
        do {
            return try TokenSealer(keys: text)
        } catch {
            throw ConfigurationError(name, "can't be used", fix: error.hint)
        }
    }
}

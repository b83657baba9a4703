import Foundation

/// The Android apps to which the server leads back from Apple's page.
package struct AndroidApps: Hashable, Sendable, ListSetting {
    static let settingName = "SIWA_ANDROID_PACKAGES"
    /// The maximum length of a package name or a return URL, in bytes.
    static let maximumByteCount = 255

    /// How an app receives Apple's response.
    enum Return: Hashable, Sendable {
        /// The activity of Flutter's plug-in `sign_in_with_apple`, which reads Apple's own fields.
        case flutter
        /// A deep link for Capacitor's plug-in `capacitor-social-login`, which reads tokens.
        case capacitor(url: String)
    }

    /// How each app receives Apple's response, by its package.
    let returns: [String: Return]

    /// Leads back to no app.
    package init() { returns = [:] }

    /// Reads the setting, which needs a Services ID.
    init(_ values: ConfigurationValues) throws(ConfigurationError) {
        try self.init(values.list(Self.settingName))
        guard returns.isEmpty || values.optional("SIWA_SERVICES_ID") != nil else {
            throw Self.mistake("is set, but SIWA_SERVICES_ID is not", fix: "set SIWA_SERVICES_ID")
        }
    }

    /// Reads the entries; throws ``ConfigurationError`` about `SIWA_ANDROID_PACKAGES`.
    package init(_ entries: [String]) throws(ConfigurationError) {
        try Self.checkCount(of: entries)
        var returns: [String: Return] = [:]
        for entry in entries {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            try Self.check(package: parts[0])
            if parts.count > 1 { try Self.check(url: parts[1]) }
            let way = parts.count > 1 ? Return.capacitor(url: parts[1]) : .flutter
            guard returns.updateValue(way, forKey: parts[0]) == nil else {
                throw Self.mistake("lists a package twice", fix: "list each package once")
            }
        }
        self.returns = returns
    }

    /// The redirect URIs of the apps, which must be registered at Apple.
    func redirectURIs(at publicURL: String) -> [String] {
        let names = returns.count > 1 ? returns.keys.sorted().map { "/\($0)" } : [""]
        return returns.isEmpty ? [] : names.map { publicURL + AndroidRoutes.path + $0 }
    }

    /// Returns the app of a package, or the only app when none is named; nil for another package.
    func app(_ package: String?) -> (package: String, way: Return)? {
        let only = returns.count == 1 ? returns.keys.first : nil
        guard let package = package ?? only, let way = returns[package] else { return nil }
        return (package, way)
    }

    /// Checks the form of a package name.
    ///
    /// Source: [Set the application ID](https://developer.android.com/build/configure-app-module#set-application-id)
    private static func check(package: String) throws(ConfigurationError) {
        guard package.utf8.count <= maximumByteCount,
            package.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+/) != nil
        else {
            throw mistake(
                "contains an entry without a package name",
                fix: "use com.example.app for Flutter, com.example.app=scheme://host for Capacitor"
            )
        }
    }

    private static func check(url: String) throws(ConfigurationError) {
        let form = /([a-z][a-z0-9+.\-]*):\/\/[A-Za-z0-9][A-Za-z0-9.\-]*(\/[A-Za-z0-9._~\/\-]*)?/
        guard url.utf8.count <= maximumByteCount, let match = url.wholeMatch(of: form),
            !foreignSchemes.contains(String(match.1))
        else {
            throw mistake(
                "contains a return URL that is not allowed",
                fix: "use a scheme of the app, as in com.example.app://apple, without a query"
            )
        }
    }

    /// The schemes that browsers and Android handle themselves.
    private static let foreignSchemes: Set<String> = [
        "about", "android-app", "blob", "chrome", "content", "data", "file", "filesystem", "ftp",
        "geo", "googlechrome", "http", "https", "intent", "jar", "javascript", "mailto", "market",
        "signinwithapple", "sms", "smsto", "tel", "vbscript", "view-source", "ws", "wss",
    ]
}

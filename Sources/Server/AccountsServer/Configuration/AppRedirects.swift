import AppleIdentity
import Foundation

/// The apps that sign in through the browser, with their redirect URIs.
///
/// Every app may use a loopback URI with any port. Other URIs must match exactly.
///
/// Source: [RFC 8252, section 7](https://www.rfc-editor.org/rfc/rfc8252#section-7)
package struct AppRedirects: Hashable, Sendable, ListSetting {
    static let settingName = "SIWA_APP_REDIRECTS"
    /// The maximum length of a redirect URI, in bytes.
    static let maximumByteCount = 512

    /// The configured redirect URIs of each app.
    package let addresses: [ClientID: Set<String>]

    /// Allows no app.
    package init() { addresses = [:] }

    /// Reads the setting, to which the bundle IDs are added.
    init(_ values: ConfigurationValues) throws(ConfigurationError) {
        let bundleIDs = values.list("SIWA_CLIENT_IDS").map { ClientID($0) }
        try self.init(values.list(Self.settingName), bundleIDs: bundleIDs)
    }

    /// Reads the entries; throws ``ConfigurationError`` about `SIWA_APP_REDIRECTS`.
    package init(_ entries: [String], bundleIDs: [ClientID]) throws(ConfigurationError) {
        try Self.checkCount(of: entries)
        var addresses: [ClientID: Set<String>] = [:]
        for client in bundleIDs { addresses[client] = [] }
        for entry in entries {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].wholeMatch(of: /[A-Za-z0-9._\-]{1,255}/) != nil else {
                throw Self.mistake(
                    "contains an entry that does not begin with a client ID",
                    fix:
                        "use client=scheme:/path, for example com.example.juice=com.example.juice:/signed-in"
                )
            }
            try Self.check(parts[1])
            addresses[ClientID(parts[0]), default: []].insert(parts[1])
        }
        self.addresses = addresses
    }

    func knows(_ client: ClientID) -> Bool { addresses[client] != nil }

    /// Returns an app's redirect URI; nil when the app may not use it.
    func redirect(_ text: String, of client: ClientID) -> RedirectAddress? {
        guard text.utf8.count <= Self.maximumByteCount, let configured = addresses[client] else {
            return nil
        }
        if let loopback = RedirectAddress(loopback: text) { return loopback }
        return configured.contains(text) ? RedirectAddress(configured: text) : nil
    }

    private static func check(_ address: String) throws(ConfigurationError) {
        guard RedirectAddress(loopback: address) == nil else {
            throw mistake(
                "lists a loopback URI",
                fix: "remove it: every app may use http://127.0.0.1 with any port"
            )
        }
        guard address.utf8.count <= maximumByteCount, RedirectAddress(configured: address) != nil
        else {
            throw mistake(
                "contains a redirect URI that is not allowed",
                fix:
                    "use a scheme of the app that contains a dot, as in com.example.juice:/signed-in, "
                    + "or https://host/path; neither with a query, fragment or user"
            )
        }
    }
}

/// A valid redirect URI.
struct RedirectAddress: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A loopback URI of this machine.
        case loopback
        /// A scheme that the app has registered with its system.
        case privateUse
        /// A URI of a host that the system opens in the app.
        case https
    }

    let text: String
    let kind: Kind

    /// The source in the content security policy; nil for an address to which no form is redirected.
    var formTarget: String? {
        kind == .privateUse ? "\(text.prefix { $0 != ":" }):" : nil
    }
}

extension RedirectAddress {
    /// Reads a loopback URI, which must contain its port; `localhost` may be another machine.
    ///
    /// Source: [RFC 8252, sections 7.3 and 8.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3)
    init?(loopback text: String) {
        let pattern = /http:\/\/(127\.0\.0\.1|\[::1\]):([1-9][0-9]{0,4})\/[A-Za-z0-9._~\/\-]*/
        guard let match = text.wholeMatch(of: pattern), UInt16(match.2) != nil else { return nil }
        self.text = text
        kind = .loopback
    }

    /// Reads a redirect URI of the settings.
    ///
    /// Source: [RFC 8252, sections 7.1 and 7.2](https://www.rfc-editor.org/rfc/rfc8252#section-7.1)
    init?(configured text: String) {
        let path = /[A-Za-z0-9._~\/\-]*/
        if let match = text.wholeMatch(of: /https:\/\/[A-Za-z0-9.\-]+(?::[0-9]{1,5})?(\/.*)/) {
            guard match.1.wholeMatch(of: path) != nil else { return nil }
            kind = .https
        } else if let match = text.wholeMatch(of: /[a-z][a-z0-9+\-]*(?:\.[a-z0-9+\-]+)+:(\/.*)/) {
            guard match.1.wholeMatch(of: path) != nil else { return nil }
            kind = .privateUse
        } else {
            return nil
        }
        self.text = text
    }
}

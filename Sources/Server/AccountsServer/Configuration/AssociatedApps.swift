import AppleIdentity
import Foundation

/// The apps that Apple's systems associate with the server's host: for stored passwords, and for redirects over https.
///
/// Source: [Supporting associated domains](https://developer.apple.com/documentation/xcode/supporting-associated-domains)
package struct AssociatedApps: Hashable, Sendable, ListSetting {
    static let settingName = "SIWA_APP_IDS"

    /// The app IDs: the team, a dot and the bundle ID.
    package let identifiers: [String]

    /// Associates no app.
    package init() { identifiers = [] }

    /// Reads the entries; throws ``ConfigurationError`` about `SIWA_APP_IDS`.
    package init(_ entries: [String]) throws(ConfigurationError) {
        try Self.checkCount(of: entries)
        for entry in entries {
            guard entry.wholeMatch(of: /[A-Z0-9]{10}\.[A-Za-z0-9.\-]{1,255}/) != nil else {
                throw Self.mistake(
                    "contains an entry that is not an app ID",
                    fix: "use TEAM.bundle, for example AB12CD34EF.com.example.juice"
                )
            }
        }
        identifiers = entries
    }

    /// Returns the file that Apple's systems fetch.
    ///
    /// - Parameters:
    ///   - redirects: the redirect URIs of apps. Those at the origin open in their app.
    ///   - origin: the scheme, host and port of the server.
    /// - Returns: the document; nil without apps.
    func document(_ redirects: AppRedirects, origin: String) -> JSONObject? {
        guard !identifiers.isEmpty else { return nil }
        let details: [JSONValue] = identifiers.compactMap { identifier in
            let bundle = ClientID(String(identifier.split(separator: ".", maxSplits: 1)[1]))
            let paths = (redirects.addresses[bundle] ?? []).filter { $0.hasPrefix(origin + "/") }
                .map { String($0.dropFirst(origin.count)) }
            guard !paths.isEmpty else { return nil }
            return .object([
                "appIDs": .array([.string(identifier)]),
                "components": .array(paths.sorted().map { .object(["/": .string($0)]) }),
            ])
        }
        var document: JSONObject = [
            "webcredentials": .object(["apps": .array(identifiers.map { .string($0) })])
        ]
        if !details.isEmpty { document["applinks"] = .object(["details": .array(details)]) }
        return document
    }
}

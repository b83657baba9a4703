import Foundation
import SignInWithApple

/// The origins whose pages may call the API from a browser (CORS).
///
/// Source: [Fetch, section 3.3](https://fetch.spec.whatwg.org/#http-cors-protocol)
package struct AllowedOrigins: Hashable, Sendable, ListSetting {
    static let settingName = "SIWA_ALLOWED_ORIGINS"

    /// The origins as browsers write them into the `Origin` field.
    package let serialized: Set<String>

    /// Allows no origin.
    package init() { serialized = [] }

    /// Reads the entries; throws ``ConfigurationError`` about `SIWA_ALLOWED_ORIGINS`.
    package init(_ entries: [String]) throws(ConfigurationError) {
        try Self.checkCount(of: entries)
        var serialized: Set<String> = []
        for entry in entries {
            let form = /([A-Za-z][A-Za-z0-9+.\-]*:\/\/[A-Za-z0-9.\-]+(?::[0-9]{1,5})?)\/?/
            guard let match = entry.wholeMatch(of: form), let url = URL(string: entry) else {
                throw Self.mistake(
                    "contains an entry that is not one origin",
                    fix: "use origins such as https://shop.example.com, without path or wildcard"
                )
            }
            // The web view of an app has a scheme of its own, as in capacitor://localhost.
            let isWebView = !["http", "https"].contains(url.scheme?.lowercased())
            serialized.insert(
                isWebView
                    ? match.1.lowercased()
                    : try SiteOrigin(url, variable: Self.settingName).serialized
            )
        }
        self.serialized = serialized
    }
}

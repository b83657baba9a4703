import Foundation

/// The origins whose pages may call the API from a browser (CORS).
///
/// Source: [Fetch, section 3.3](https://fetch.spec.whatwg.org/#http-cors-protocol)
package struct AllowedOrigins: Hashable, Sendable {
    static let settingName = "SIWA_ALLOWED_ORIGINS"
    /// The maximum number of origins.
    static let maximumCount = 100

    /// The origins as browsers write them into the `Origin` field.
    package let serialized: Set<String>

    /// Allows no origin.
    package init() { serialized = [] }

    /// Reads the entries; throws ``ConfigurationError`` about `SIWA_ALLOWED_ORIGINS`.
    package init(_ entries: [String]) throws(ConfigurationError) {
        let name = Self.settingName
        guard entries.count <= Self.maximumCount else {
            throw ConfigurationError(
                name,
                "lists more than \(Self.maximumCount) origins",
                fix: "list only the origins of pages that call the API"
            )
        }
        var serialized: Set<String> = []
        for entry in entries {
            guard entry.wholeMatch(of: /[A-Za-z]+:\/\/[A-Za-z0-9.\-]+(:[0-9]{1,5})?\/?/) != nil,
                let url = URL(string: entry)
            else {
                throw ConfigurationError(
                    name,
                    "contains an entry that is not one origin",
                    fix: "use origins such as https://shop.example.com, without path or wildcard"
                )
            }
            serialized.insert(try ServerAddress(url, variable: name).serialized)
        }
        self.serialized = serialized
    }
}

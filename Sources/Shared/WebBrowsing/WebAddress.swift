import AppleIdentity
import Foundation

/// URLs as browsers parse them.
package enum WebAddress {
    /// The URL to which a reference on a page leads; nil if it is invalid.
    ///
    /// Like browsers, it drops tabs and line breaks and reads a backslash as a slash.
    ///
    /// Source: [WHATWG URL, section 4.4](https://url.spec.whatwg.org/#concept-basic-url-parser)
    package static func resolve(_ reference: String, from page: URL) -> URL? {
        let cleaned = reference.filter { !"\t\r\n".contains($0) }.trimmingCharacters(
            in: .whitespaces
        )
        let parts = cleaned.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts.first ?? "").replacing("\\", with: "/")
        let text = parts.count > 1 ? path + "?" + parts[1] : path
        return URL(string: text, relativeTo: page)?.absoluteURL
    }

    /// Scheme, host and port, in the form of the `Origin` field.
    ///
    /// Source: [WHATWG HTML, origin](https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin)
    package static func origin(of url: URL) -> String {
        let (scheme, name) = (url.scheme ?? "http", url.host() ?? "")
        let host = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
        guard let port = url.port, port != (scheme == "https" ? 443 : 80) else {
            return "\(scheme)://\(host)"
        }
        return "\(scheme)://\(host):\(port)"
    }

    package static func fields(of query: String?) -> [WebField] {
        (query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { FormCoding.text($0.utf8) ?? String($0) }
            return WebField(texts[0], texts.count > 1 ? texts[1] : "")
        }
    }

    package static func adding(_ fields: [WebField], to url: URL) -> URL {
        guard !fields.isEmpty,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        let query = [components.percentEncodedQuery, fields.encoded].compactMap(\.self)
        components.percentEncodedQuery = query.joined(separator: "&")
        return components.url ?? url
    }
}

/// A name and value of a form or a query.
package struct WebField: Hashable, Sendable {
    package let name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [WebField] {
    /// The fields as the text of a form or a query.
    package var encoded: String { FormCoding.encode(map { ($0.name, $0.value) }) }

    /// The first value of a name; setting nil removes all its values.
    package subscript(name: String) -> String? {
        get { first { $0.name == name }?.value }
        set {
            let place = firstIndex { $0.name == name } ?? count
            removeAll { $0.name == name }
            if let newValue { insert(WebField(name, newValue), at: Swift.min(place, count)) }
        }
    }
}

import Foundation

/// A path of the server's own pages, from a link to the sign-in.
package enum ReturnPath {
    /// The name of the query parameter or form field.
    package static let parameter = "return_to"
    private static let maximumByteCount = 512

    /// Checks the path that a request asks to return to.
    ///
    /// RFC 9700, section 4.11: no URL from a request may send a browser to another site. Browsers
    /// read `//host` and `/\host` as another host, and skip tabs and line breaks.
    /// https://www.rfc-editor.org/rfc/rfc9700#section-4.11
    ///
    /// - Parameters:
    ///   - text: the path in the request.
    ///   - isPage: whether a path is a page, not a route that begins or changes something.
    /// - Returns: the path; the root if the path is missing or might lead to another site.
    package static func checked(_ text: String?, isPage: (String) -> Bool) -> String {
        guard let text, text.utf8.count <= maximumByteCount, text.hasPrefix("/"),
            !text.hasPrefix("//"), !text.contains("\\"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), isPage(text)
        else { return "/" }
        return text
    }

    /// Whether a path is a route or below it, in any spelling that a browser or router resolves.
    static func leads(_ path: String, to route: String) -> Bool {
        let path = String(path.prefix { $0 != "?" && $0 != "#" })
        return segments(path.removingPercentEncoding ?? path).starts(with: segments(route))
    }

    private static func segments(_ path: String) -> [Substring] {
        path.split(separator: "/").reduce(into: []) { segments, segment in
            switch segment {
            case ".": break
            case "..": _ = segments.popLast()
            default: segments.append(segment)
            }
        }
    }
}

/// A path of the server's own pages, asked for by whoever linked to the sign-in.
enum ReturnPath {
    private static let maximumByteCount = 512

    /// The path; the root when none was asked for, or one that could lead elsewhere.
    ///
    /// RFC 9700, section 4.11: no address from a request may send a browser to another site. Browsers
    /// read `//host` and `/\host` as another host, and skip tabs and line breaks.
    /// https://www.rfc-editor.org/rfc/rfc9700#section-4.11
    static func checked(_ text: String?) -> String {
        guard let text, text.utf8.count <= maximumByteCount, text.hasPrefix("/"),
            !text.hasPrefix("//"), !text.contains("\\"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return "/" }
        return text
    }
}

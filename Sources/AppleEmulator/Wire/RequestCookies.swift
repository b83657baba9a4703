/// The cookies that a request brings along.
struct RequestCookies {
    private let pairs: [Substring]

    /// - Parameter fields: the values of the request's `Cookie` fields.
    init(_ fields: [String]) {
        pairs = fields.flatMap { $0.split(separator: ";") }
    }

    /// The value of the first cookie of this name.
    subscript(name: String) -> String? {
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            if parts[0].trimmingPrefix(while: \.isWhitespace) == name { return String(parts[1]) }
        }
        return nil
    }
}

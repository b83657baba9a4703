/// What a caller would like to have, by its `Accept` field.
///
/// Source: [RFC 9110, section 12.5.1](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1)
struct AcceptedTypes {
    /// How many media types are read.
    private static let maximumTypeCount = 32

    private var weights: [String: Double] = [:]

    init(_ fields: [String]) {
        for type in fields.joined(separator: ",").split(separator: ",").prefix(
            Self.maximumTypeCount
        ) {
            let parts = type.split(separator: ";").map { part in
                part.filter { !$0.isWhitespace }.lowercased()
            }
            guard let name = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
            weights[name] = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        }
    }

    /// Whether a page is asked for by its name, and JSON is not liked better.
    var prefersPage: Bool {
        guard let page = weights["text/html"], page > 0 else { return false }
        return page >= weights["application/json"] ?? 0
    }
}

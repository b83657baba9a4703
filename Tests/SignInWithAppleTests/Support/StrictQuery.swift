import Testing

/// Reads the query of a URL strictly by RFC 3986: a plus sign is no space, and errors are fatal.
///
/// Source: [RFC 3986, section 3.4](https://www.rfc-editor.org/rfc/rfc3986#section-3.4)
struct StrictQuery {
    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'()*+,;:@/?".utf8
    )

    private let fields: [(name: String, value: String)]

    var names: [String] { fields.map(\.name) }

    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    init(of address: String) throws {
        let parts = address.split(separator: "?", maxSplits: 1)
        try #require(parts.count == 2)
        fields = try parts[1].split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            try #require(sides.count == 2)
            return (try Self.decode(sides[0]), try Self.decode(sides[1]))
        }
    }

    private static func decode(_ text: Substring) throws -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                try #require(allowed.contains(byte))
                bytes.append(byte)
                continue
            }
            let digits = try #require(String(rest.prefix(2)))
            try #require(digits.utf8.count == 2)
            bytes.append(try #require(UInt8(digits, radix: 16)))
            rest = rest.dropFirst(2)
        }
        return try #require(String(validating: bytes, as: UTF8.self))
    }
}

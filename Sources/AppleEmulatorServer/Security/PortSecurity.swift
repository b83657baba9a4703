import HTTPTypes

/// Header fields that every answer carries, unless it has its own.
enum PortSecurity {
    private static let fields = [
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"),
    ]

    static func complete(_ headers: inout HTTPFields) {
        for (text, value) in fields {
            guard let name = HTTPField.Name(text), headers[name] == nil else { continue }
            headers[name] = value
        }
    }
}

import AppleIdentity
import Foundation

/// The fields of a form or a query, each at most once.
///
/// Source: [URL Standard, section 5](https://url.spec.whatwg.org/#application/x-www-form-urlencoded)
package struct FormFields: Sendable {
    static let maximumFieldCount = 64
    /// The maximum size of a name or value, in bytes; client secrets are the longest.
    package static let maximumFieldByteCount = 16 * 1024

    private var values: [String: String] = [:]

    var isEmpty: Bool { values.isEmpty }

    var names: [String] { Array(values.keys) }

    /// A parameter's value; an empty one counts as missing.
    ///
    /// Source: [RFC 6749, section 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)
    subscript(name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    /// A parameter's value, even if it is empty.
    package func sent(_ name: String) -> String? { values[name] }

    mutating func remove(_ name: String) { values[name] = nil }

    /// Parses `application/x-www-form-urlencoded` text.
    package init(
        parsing bytes: some Collection<UInt8>,
        maximumFieldByteCount: Int = maximumFieldByteCount,
        encodingError: OAuthErrorResponse.Code = .invalidRequest
    ) throws(OAuthRefusal) {
        let pairs = bytes.split(separator: UInt8(ascii: "&"))
        guard pairs.count <= Self.maximumFieldCount else {
            throw Self.malformed("it has more than \(Self.maximumFieldCount) parameters")
        }
        for pair in pairs {
            let parts = pair.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard parts.allSatisfy({ $0.count <= maximumFieldByteCount }) else {
                throw Self.malformed(
                    "it has a parameter longer than \(maximumFieldByteCount) bytes"
                )
            }
            let name = try Self.decode(parts[0], encodingError)
            let value = parts.count > 1 ? try Self.decode(parts[1], encodingError) : ""
            // RFC 6749, section 3.2: parameters must not be included more than once.
            // https://www.rfc-editor.org/rfc/rfc6749#section-3.2
            guard values.updateValue(value, forKey: name) == nil else {
                throw Self.malformed("it has the parameter \"\(name.prefix(64))\" twice")
            }
        }
    }

    private static func decode(
        _ part: some Collection<UInt8>,
        _ encodingError: OAuthErrorResponse.Code
    ) throws(OAuthRefusal) -> String {
        guard let bytes = FormCoding.bytes(Array(part)) else {
            throw malformed("it is not percent-encoded", encodingError)
        }
        guard let text = String(utf8: bytes) else {
            throw malformed("it is not UTF-8")
        }
        return text
    }

    private static func malformed(
        _ problem: String,
        _ code: OAuthErrorResponse.Code = .invalidRequest
    ) -> OAuthRefusal {
        OAuthRefusal(code, reason: "the form can't be read: \(problem)")
    }
}

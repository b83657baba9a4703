import Foundation

/// The strict encoding and decoding of `application/x-www-form-urlencoded`.
///
/// Source: [URL Standard, section 5](https://url.spec.whatwg.org/#application/x-www-form-urlencoded)
package enum FormCoding {
    package typealias Fields = [(name: String, value: String)]

    /// Writes fields in order, with a space as `%20`, which is valid in forms and queries.
    package static func encode(_ fields: Fields) -> String {
        fields.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
            .joined(separator: "&")
    }

    /// Reads fields in order; nil if an escape is invalid or the text is not UTF-8.
    package static func decode(_ body: Data) -> Fields? {
        var fields: Fields = []
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard let name = text(parts[0]), let value = text(parts.dropFirst().first ?? Data())
            else { return nil }
            fields.append((name, value))
        }
        return fields
    }

    /// Reads a name or a value; nil if an escape is invalid or the text is not UTF-8.
    package static func text(_ encoded: some Collection<UInt8>) -> String? {
        bytes(Array(encoded)).flatMap { String(utf8: $0) }
    }

    /// Reads the bytes of a name or a value, in which `+` is a space; nil if an escape is invalid.
    ///
    /// In an array, because other modules' collections are read by a call for each byte.
    package static func bytes(_ encoded: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var rest = encoded.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(hexadecimalValue),
                    let low = rest.next().flatMap(hexadecimalValue)
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    /// The value of a hexadecimal digit; nil for another character.
    package static func hexadecimalValue(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

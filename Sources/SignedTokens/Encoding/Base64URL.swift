import Foundation

/// Base64url without padding, strict: no white space, no padding, no bits left over.
///
/// Source: [RFC 7515, section 2](https://www.rfc-editor.org/rfc/rfc7515#section-2),
/// [RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)
public enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    private static let invalid: UInt8 = 0xFF

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: invalid, count: 256)
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        return values
    }()

    /// Encodes bytes.
    ///
    /// - Parameter bytes: any bytes, also none.
    /// - Returns: the text, without padding.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var characters: [UInt8] = []
        var buffer: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                characters.append(alphabet[Int(buffer >> UInt32(bitCount) & 63)])
            }
            buffer &= (1 << UInt32(bitCount)) - 1
        }
        if bitCount > 0 {
            characters.append(alphabet[Int(buffer << UInt32(6 - bitCount) & 63)])
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Decodes a text.
    ///
    /// - Parameter text: base64url without padding.
    /// - Returns: the bytes, or nil when a character is foreign or bits are left over.
    public static func decode(_ text: String) -> Data? {
        var text = text
        return text.withUTF8 { decode($0) }
    }

    /// Decodes a text given as its ASCII bytes.
    ///
    /// - Parameter characters: base64url without padding.
    /// - Returns: the bytes, or nil when a character is foreign or bits are left over.
    public static func decode(_ characters: UnsafeBufferPointer<UInt8>) -> Data? {
        // One character over a multiple of four can't make a byte.
        guard characters.count % 4 != 1 else { return nil }
        var bytes = [UInt8]()
        bytes.reserveCapacity(characters.count / 4 * 3 + 2)
        let decoded = values.withUnsafeBufferPointer { values in
            decode(characters, values: values, into: &bytes)
        }
        return decoded ? Data(bytes) : nil
    }

    private static func decode(
        _ characters: UnsafeBufferPointer<UInt8>,
        values: UnsafeBufferPointer<UInt8>,
        into bytes: inout [UInt8]
    ) -> Bool {
        var buffer: UInt32 = 0
        var bitCount: UInt32 = 0
        for character in characters {
            let value = values[Int(character)]
            guard value != invalid else { return false }
            buffer = buffer << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bitCount))
                buffer &= (1 << bitCount) - 1
            }
        }
        return buffer == 0
    }
}

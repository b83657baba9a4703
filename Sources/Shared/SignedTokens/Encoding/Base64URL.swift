import Foundation

/// Base64url without padding, strict: no white space, no padding, no bits left over.
///
/// Source: [RFC 7515, section 2](https://www.rfc-editor.org/rfc/rfc7515#section-2),
/// [RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)
package enum Base64URL {
    static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    /// Encodes bytes without padding.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable(text)
            ?? Array(bytes).withUnsafeBufferPointer(text)
    }

    /// Writes the characters directly into the string, without other memory.
    private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let characterCount = (bytes.count * 8 + 5) / 6
        return String(unsafeUninitializedCapacity: characterCount) { characters in
            alphabet.withUnsafeBufferPointer { alphabet in
                for index in 0..<characterCount {
                    // The six bits begin in one byte, and may end in the next.
                    let (byte, bit) = (index * 6).quotientAndRemainder(dividingBy: 8)
                    let next = byte + 1 < bytes.count ? bytes[byte + 1] : 0
                    let bits = (UInt16(bytes[byte]) << 8 | UInt16(next)) >> UInt16(10 - bit)
                    characters.initializeElement(at: index, to: alphabet[Int(bits & 63)])
                }
            }
            return characterCount
        }
    }
}

extension Base64URL {
    /// Marks a character that is not in the alphabet; no shifted value has this bit.
    private static let invalid: UInt32 = 0x8000_0000

    /// The number of values of a byte, which is the size of one of the four tables.
    private static let tableSize = 256

    /// Four tables in a row, for the first to the fourth character of a group: the six bits of the
    /// character, shifted to their place in the group's 24 bits.
    private static let values: [UInt32] = {
        var values = [UInt32](repeating: invalid, count: 4 * tableSize)
        for (value, character) in alphabet.enumerated() {
            for place in 0..<4 {
                values[place * tableSize + Int(character)] = UInt32(value) << UInt32(18 - 6 * place)
            }
        }
        return values
    }()

    /// Decodes a text; nil if a character is invalid, or bits are left over.
    package static func decode(_ text: String) -> Data? {
        var text = text
        return text.withUTF8 { decode($0) }
    }

    /// Decodes a text from its ASCII bytes.
    package static func decode(_ characters: UnsafeBufferPointer<UInt8>) -> Data? {
        withDecoded(characters) { Data($0) }
    }

    /// Decodes a text for the duration of a body, without memory that outlives it.
    static func withDecoded<Result, Failure: Error>(
        _ characters: UnsafeBufferPointer<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let byteCount = byteCount(of: characters) else { return nil }
        return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: byteCount) {
            bytes throws(Failure) in
            decode(characters, into: bytes) ? try body(UnsafeBufferPointer(bytes)) : nil
        }
    }

    /// The number of bytes in a text; nil if no bytes have a text of that length.
    static func byteCount(of characters: UnsafeBufferPointer<UInt8>) -> Int? {
        // One character over a multiple of four is less than a byte.
        guard characters.count % 4 != 1 else { return nil }
        return characters.count / 4 * 3 + max(0, characters.count % 4 - 1)
    }

    /// Decodes a text into memory of exactly the size ``byteCount(of:)``.
    static func decode(
        _ characters: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        values.withUnsafeBufferPointer { decode(characters, values: $0, into: bytes) }
    }

    /// Writes three bytes for each four characters; the caller has checked the sizes.
    private static func decode(
        _ characters: UnsafeBufferPointer<UInt8>,
        values: UnsafeBufferPointer<UInt32>,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        var seen: UInt32 = 0
        var source = 0
        var target = 0
        while source + 4 <= characters.count {
            let group =
                values[Int(characters[source])]
                | values[tableSize + Int(characters[source + 1])]
                | values[2 * tableSize + Int(characters[source + 2])]
                | values[3 * tableSize + Int(characters[source + 3])]
            // Checked once at the end, so the loop has no other branch.
            seen |= group
            bytes[target] = UInt8(truncatingIfNeeded: group >> 16)
            bytes[target + 1] = UInt8(truncatingIfNeeded: group >> 8)
            bytes[target + 2] = UInt8(truncatingIfNeeded: group)
            source += 4
            target += 3
        }
        return seen & invalid == 0
            && decodeRest(
                UnsafeBufferPointer(rebasing: characters[source...]),
                values: values,
                into: UnsafeMutableBufferPointer(rebasing: bytes[target...])
            )
    }

    /// Decodes the last two or three characters; bits beyond whole bytes must be zero.
    private static func decodeRest(
        _ characters: UnsafeBufferPointer<UInt8>,
        values: UnsafeBufferPointer<UInt32>,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        guard !characters.isEmpty else { return true }
        var group: UInt32 = 0
        for (place, character) in characters.enumerated() {
            group |= values[place * tableSize + Int(character)]
        }
        guard group & invalid == 0 else { return false }
        for index in bytes.indices {
            bytes[index] = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index))
        }
        let spareBitCount = UInt32(24 - 8 * bytes.count)
        return group & ((1 << spareBitCount) - 1) == 0
    }
}

import Foundation

extension Base64URL {
    /// Marks a character that is not in the alphabet; no six bits have this bit.
    private static let foreign: UInt8 = 0x80

    /// The six bits each character stands for.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: foreign, count: 256)
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        return values
    }()

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
        withDecoded(characters) { Data($0) }
    }

    /// Decodes a text for as long as a body runs, without memory that outlives it.
    static func withDecoded<Result>(
        _ characters: UnsafeBufferPointer<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        // One character over a multiple of four can't make a byte.
        guard characters.count % 4 != 1 else { return nil }
        let byteCount = characters.count / 4 * 3 + max(0, characters.count % 4 - 1)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: byteCount) { bytes in
            let isDecoded = values.withUnsafeBufferPointer { values in
                decode(characters, values: values, into: bytes)
            }
            return isDecoded ? body(UnsafeBufferPointer(bytes)) : nil
        }
    }

    /// Writes three bytes for each four characters; the sizes fit, the caller saw to it.
    private static func decode(
        _ characters: UnsafeBufferPointer<UInt8>,
        values: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        var seen: UInt8 = 0
        var source = 0
        var target = 0
        while source + 4 <= characters.count {
            let first = values[Int(characters[source])]
            let second = values[Int(characters[source + 1])]
            let third = values[Int(characters[source + 2])]
            let fourth = values[Int(characters[source + 3])]
            // Looked at once at the end, so that the loop has no other branch.
            seen |= first | second | third | fourth
            bytes[target] = first << 2 | second >> 4
            bytes[target + 1] = second << 4 | third >> 2
            bytes[target + 2] = third << 6 | fourth
            source += 4
            target += 3
        }
        return seen & foreign == 0
            && decodeRest(
                UnsafeBufferPointer(rebasing: characters[source...]),
                values: values,
                into: UnsafeMutableBufferPointer(rebasing: bytes[target...])
            )
    }

    /// Decodes the last two or three characters; bits beyond whole bytes must be zero.
    private static func decodeRest(
        _ characters: UnsafeBufferPointer<UInt8>,
        values: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        guard !characters.isEmpty else { return true }
        var bits: UInt32 = 0
        for character in characters {
            let value = values[Int(character)]
            guard value & foreign == 0 else { return false }
            bits = bits << 6 | UInt32(value)
        }
        let spareBitCount = UInt32(characters.count * 6 - bytes.count * 8)
        guard bits & ((1 << spareBitCount) - 1) == 0 else { return false }
        bits >>= spareBitCount
        for index in bytes.indices.reversed() {
            bytes[index] = UInt8(truncatingIfNeeded: bits)
            bits >>= 8
        }
        return true
    }
}

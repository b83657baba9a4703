/// Base64url without padding, strict: no white space, no padding, no bits left over.
///
/// Source: [RFC 7515, section 2](https://www.rfc-editor.org/rfc/rfc7515#section-2),
/// [RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)
public enum Base64URL {
    static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    /// Encodes bytes.
    ///
    /// - Parameter bytes: any bytes, also none.
    /// - Returns: the text, without padding.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable(text)
            ?? Array(bytes).withUnsafeBufferPointer(text)
    }

    /// Writes the characters straight into the text, which needs no other memory.
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

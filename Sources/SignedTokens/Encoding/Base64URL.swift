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
        var characters: [UInt8] = []
        characters.reserveCapacity((bytes.underestimatedCount + 2) / 3 * 4)
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
}

/// Lower-case hexadecimal digits, two for each byte.
package enum Hexadecimal {
    /// Inlined, so that the compiler knows what kind of sequence it goes through.
    @inlinable
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            characters.append(digit(byte >> 4))
            characters.append(digit(byte & 15))
        }
        return String(decoding: characters, as: UTF8.self)
    }

    @usableFromInline
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

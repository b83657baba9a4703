/// Lower-case hexadecimal digits, two for each byte.
package enum Hexadecimal {
    /// Encodes bytes; inlined because the compiler then knows the type of the sequence.
    @inlinable
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable(text)
            ?? Array(bytes).withUnsafeBufferPointer(text)
    }

    /// Writes the digits directly into the string, without other memory.
    @usableFromInline
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { characters in
            for index in bytes.indices {
                characters.initializeElement(at: 2 * index, to: digit(bytes[index] >> 4))
                characters.initializeElement(at: 2 * index + 1, to: digit(bytes[index] & 15))
            }
            return 2 * bytes.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// Comparisons of secrets that an attacker may try to guess byte by byte.
package enum ConstantTime {
    /// Whether two strings have the same bytes; the time does not depend on where they differ.
    package static func isEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                var difference: UInt8 = 0
                for index in left.indices { difference |= left[index] ^ right[index] }
                return difference == 0
            }
        }
    }
}

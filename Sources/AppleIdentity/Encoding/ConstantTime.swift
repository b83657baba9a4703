/// Comparing what an attacker may try to guess byte by byte.
package enum ConstantTime {
    /// Whether two texts have the same bytes, in a time that does not depend on where they differ.
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

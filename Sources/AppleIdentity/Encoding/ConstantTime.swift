/// Comparing what an attacker may try to guess byte by byte.
package enum ConstantTime {
    /// Whether two texts have the same bytes, in a time that does not depend on where they differ.
    package static func isEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

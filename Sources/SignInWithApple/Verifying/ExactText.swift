import Foundation

/// Compares texts byte by byte: Swift's own comparison takes different spellings of one character
/// as equal.
enum ExactText {
    static func isSame(_ left: String, _ right: String) -> Bool {
        let count = left.utf8.count
        let isSame: Bool?? = left.utf8.withContiguousStorageIfAvailable { left -> Bool? in
            right.utf8.withContiguousStorageIfAvailable { right -> Bool in
                guard left.count == right.count else { return false }
                guard let left = left.baseAddress, let right = right.baseAddress else {
                    return true
                }
                return memcmp(left, right, count) == 0
            }
        }
        // Texts from Foundation on Apple's systems may have no bytes at hand.
        return (isSame ?? nil) ?? left.utf8.elementsEqual(right.utf8)
    }
}

import Foundation

/// Compares texts byte by byte: Swift's own comparison takes different spellings of one character
/// as equal.
enum ExactText {
    static func isSame(_ left: String, _ right: String) -> Bool {
        let isSame = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                left.count == right.count && left.elementsEqual(right)
            }
        }
        // Texts from Foundation on Apple's systems may have no bytes at hand.
        return (isSame ?? nil) ?? left.utf8.elementsEqual(right.utf8)
    }
}

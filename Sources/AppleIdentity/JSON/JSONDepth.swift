import Foundation

/// How deep a JSON text nests, told without parsing it.
///
/// A decoder's work grows with the depth at each value, so depth is judged before decoding.
enum JSONDepth {
    /// The deepest nesting that is decoded; nothing in this field needs more than four levels.
    static let maximumLevelCount = 16

    /// Whether the text may be decoded.
    ///
    /// - Parameter text: JSON in UTF-8; RFC 8259, section 8.1, allows nothing else between systems.
    /// - Returns: false for other encodings too.
    static func isAcceptable(_ text: Data) -> Bool {
        // A decoder would also take UTF-16, in which this scan finds no brackets.
        guard String(validating: text, as: UTF8.self) != nil, !text.contains(0) else {
            return false
        }
        return text.withUnsafeBytes { levelCount(of: $0) <= maximumLevelCount }
    }

    private static func levelCount(of text: UnsafeRawBufferPointer) -> Int {
        var depth = 0
        var deepest = 0
        var isInString = false
        var isEscaped = false
        for byte in text {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\\"): isEscaped = isInString
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                guard !isInString else { continue }
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if !isInString { depth -= 1 }
            default: break
            }
        }
        return deepest
    }
}

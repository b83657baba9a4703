import Foundation

/// Looks for members that an object has twice, of which decoders silently keep one.
///
/// RFC 8259, section 4, leaves open what such an object means, so two readers can see two values.
///
/// Source: [RFC 8259, section 4](https://www.rfc-editor.org/rfc/rfc8259#section-4)
package struct JSONMemberCheck {
    /// What is wrong with a text.
    package enum Problem: Error, Hashable {
        /// An object has this member twice.
        case duplicate(name: String)
        /// Values are nested more deeply than ``maximumDepth``.
        case tooDeep
        /// The text is longer than ``maximumByteCount``.
        case tooLong
    }

    /// How deeply values may be nested; Foundation's decoder has the same limit.
    package static let maximumDepth = 512
    /// The longest text that is looked at, in bytes.
    package static let maximumByteCount = 1024 * 1024

    /// An array or object that is open at a place of the text.
    private enum Container {
        case array
        case object(names: Set<String>, expectsName: Bool)
    }

    private let bytes: [UInt8]
    private var index = 0
    private var containers: [Container] = []

    /// Checks every object in a text, also nested ones.
    ///
    /// - Parameter data: JSON text; what is wrong with its grammar is the decoder's to find.
    /// - Throws: ``Problem``, the first one.
    package static func check(_ data: Data) throws(Problem) {
        guard data.count <= maximumByteCount else { throw .tooLong }
        var check = JSONMemberCheck(bytes: Array(data))
        while check.index < check.bytes.count { try check.step() }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func step() throws(Problem) {
        switch bytes[index] {
        case UInt8(ascii: "{"): try open(.object(names: [], expectsName: true))
        case UInt8(ascii: "["): try open(.array)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = containers.popLast()
        case UInt8(ascii: ","):
            if case .object(let names, _)? = containers.last {
                containers[containers.count - 1] = .object(names: names, expectsName: true)
            }
        case UInt8(ascii: "\""):
            try meet(string: skipString())
        default: break
        }
        index += 1
    }

    private mutating func open(_ container: Container) throws(Problem) {
        guard containers.count < Self.maximumDepth else { throw .tooDeep }
        containers.append(container)
    }

    /// Goes to the closing quotation mark; the string with both of its marks.
    private mutating func skipString() -> ArraySlice<UInt8> {
        let start = index
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes[start..<min(index + 1, bytes.count)]
    }

    private mutating func meet(string: ArraySlice<UInt8>) throws(Problem) {
        guard case .object(var names, true)? = containers.last else { return }
        // Taken out while it changes, so that the set of names is not copied.
        containers.removeLast()
        if let name = Self.name(spelled: string), !names.insert(name).inserted {
            throw .duplicate(name: name)
        }
        containers.append(.object(names: names, expectsName: false))
    }

    /// The name that a string spells; nil when the decoder will refuse it.
    private static func name(spelled string: ArraySlice<UInt8>) -> String? {
        // Escapes can spell one name in several ways.
        guard string.contains(UInt8(ascii: "\\")) else {
            return String(decoding: string.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(string))
    }
}

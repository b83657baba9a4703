/// Turns the bytes that a terminal sends into keys.
///
/// A sequence may be split between reads. Unknown sequences are dropped, and so is text that is not UTF-8.
/// The sequences are those of ECMA-48, as xterm sends them.
package struct KeyDecoder {
    /// The longest pasted text, in bytes; the rest is dropped.
    package static let maximumPasteByteCount = 16 * 1024
    /// The longest control sequence, in bytes; a longer one is dropped.
    static let maximumSequenceByteCount = 32

    private static let pasteStart: [UInt8] = Array("\u{1B}[200~".utf8)
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    private var pending: [UInt8] = []
    private var pasted: [UInt8]?
    /// The last bytes of a paste, which may be the beginning of its end mark.
    private var pasteTail: [UInt8] = []

    package init() {}

    /// Whether the last byte may be the Esc key or the beginning of a sequence.
    package var isWaiting: Bool { pasted == nil && !pending.isEmpty }

    /// Reads more bytes, and returns the keys that are complete.
    package mutating func read(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes {
            if pasted != nil {
                readPasted(byte, into: &keys)
            } else {
                pending.append(byte)
                decode(into: &keys)
            }
        }
        return Self.joined(keys)
    }

    /// Returns the pending escape as the Esc key, because nothing followed in time.
    package mutating func finish() -> [Key] {
        defer { pending = [] }
        return pending == [0x1B] ? [.escape] : []
    }

    private mutating func decode(into keys: inout [Key]) {
        guard let first = pending.first else { return }
        switch first {
        case 0x1B: decodeSequence(into: &keys)
        case 0x20..<0x7F, 0x80...: decodeText(into: &keys)
        default:
            if let key = Self.control(first) { keys.append(key) }
            pending = []
        }
    }

    /// Decodes one character of UTF-8 when its last byte has arrived (RFC 3629).
    private mutating func decodeText(into keys: inout [Key]) {
        let length = Self.byteCount(startingWith: pending[0])
        let rest = pending.dropFirst()
        // A byte that does not continue the character begins something else.
        if let index = rest.firstIndex(where: { $0 & 0xC0 != 0x80 }) {
            let next = pending[index]
            pending = [next]
            decode(into: &keys)
            return
        }
        guard pending.count >= length else { return }
        if let text = String(validating: pending, as: UTF8.self), !Self.isControl(text) {
            keys.append(.text(text))
        }
        pending = []
    }

    private mutating func decodeSequence(into keys: inout [Key]) {
        guard pending.count > 1 else { return }
        let second = pending[1]
        guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else {
            // Two escapes are two keys; an escape before another key means Alt, and is dropped with it.
            pending = second == 0x1B ? [0x1B] : []
            if second == 0x1B { keys.append(.escape) }
            return
        }
        guard pending.count > 2, let last = pending.last else { return }
        if (0x40...0x7E).contains(last) {
            if pending == Self.pasteStart { pasted = [] }
            if let key = Self.key(ofSequence: pending) { keys.append(key) }
            pending = []
        } else if pending.count >= Self.maximumSequenceByteCount || !(0x20...0x3F).contains(last) {
            pending = last == 0x1B ? [0x1B] : []
        }
    }

    private mutating func readPasted(_ byte: UInt8, into keys: inout [Key]) {
        pasteTail.append(byte)
        if pasteTail == Self.pasteEnd {
            keys.append(.paste(String(decoding: pasted ?? [], as: UTF8.self)))
            pasted = nil
            pasteTail = []
            return
        }
        while !Self.pasteEnd.starts(with: pasteTail) {
            let first = pasteTail.removeFirst()
            if let count = pasted?.count, count < Self.maximumPasteByteCount {
                pasted?.append(first)
            }
        }
    }

    /// Joins adjacent text, because a combining mark belongs to the letter before it.
    private static func joined(_ keys: [Key]) -> [Key] {
        keys.reduce(into: []) { joined, key in
            if case .text(let more) = key, case .text(let text) = joined.last {
                joined[joined.count - 1] = .text(text + more)
            } else {
                joined.append(key)
            }
        }
    }
}

extension KeyDecoder {
    private static func byteCount(startingWith byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    private static func isControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        default: nil
        }
    }

    private static func key(ofSequence bytes: [UInt8]) -> Key? {
        let parameters = bytes[2..<(bytes.count - 1)]
        // The second parameter, the modifiers, is ignored.
        let number = parameters.prefix { $0 != UInt8(ascii: ";") }
        return bytes.last == UInt8(ascii: "~")
            ? numberedKeys[String(decoding: number, as: UTF8.self)]
            : bytes.last.flatMap { letterKeys[Character(Unicode.Scalar($0))] }
    }

    private static let letterKeys: [Character: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
        "M": .enter,
    ]

    private static let numberedKeys: [String: Key] = [
        "1": .home, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
    ]
}

/// A key of a terminal, or a paste.
package enum Key: Hashable, Sendable {
    /// Typed text.
    case text(String)
    /// Pasted text, including line breaks.
    case paste(String)
    /// A letter with the control key, in lower case: `c` for Control-C.
    case control(Character)
    case enter, tab, backTab, escape, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
}

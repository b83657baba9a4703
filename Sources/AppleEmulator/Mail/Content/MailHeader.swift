import Foundation

/// The fields above a mail's text, as they were sent.
struct MailHeader {
    /// The longest header, in bytes; what comes after belongs to the text.
    static let maximumByteCount = 256 * 1024
    /// How many fields are read; a mail with more is not taken.
    static let maximumFieldCount = 1_000

    struct Field {
        let name: String
        /// The name in small letters.
        fileprivate let key: String
        /// The lines of the field, with their ends.
        let raw: Data

        /// The value on one line.
        var value: String {
            let text = String(decoding: raw, as: UTF8.self)
            let value = text.drop { $0 != ":" }.dropFirst()
            // RFC 5322, section 2.2.3: unfolding removes the line ends before white space.
            // https://www.rfc-editor.org/rfc/rfc5322#section-2.2.3
            return value.filter { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
        }
    }

    /// The fields, ``maximumFieldCount`` at most.
    private(set) var fields: [Field] = []
    /// Whether there are more fields.
    private(set) var hasTooManyFields = false
    /// Where the text begins.
    private(set) var bodyOffset = 0

    /// Reads the header of a mail, or of one of its parts.
    init(_ content: some Collection<UInt8>) {
        read(
            Array(content.prefix(Self.maximumByteCount)),
            isWhole: content.count <= Self.maximumByteCount
        )
    }

    private mutating func read(_ bytes: [UInt8], isWhole: Bool) {
        var position = 0
        var pending: (name: String, start: Int)?
        while position < bytes.count {
            let found = bytes[position...].firstIndex(of: 0x0A)
            // A line that goes on after the limit belongs to the text.
            guard found != nil || isWhole else { break }
            let lineEnd = found ?? bytes.count
            let next = min(lineEnd + 1, bytes.count)
            let line = bytes[position..<lineEnd]
            if pending != nil, line.first == 0x20 || line.first == 0x09 {
                position = next
                continue
            }
            add(pending, from: bytes, to: position)
            pending = nil
            if line.isEmpty || line.elementsEqual([0x0D]) {
                position = next
                break
            }
            // A line that is no field begins the text, as most servers take it.
            guard let name = Self.name(of: line) else { break }
            pending = (name, position)
            position = next
        }
        add(pending, from: bytes, to: position)
        bodyOffset = position
    }

    private mutating func add(
        _ field: (name: String, start: Int)?,
        from bytes: [UInt8],
        to end: Int
    ) {
        guard let field else { return }
        guard fields.count < Self.maximumFieldCount else {
            hasTooManyFields = true
            return
        }
        let raw = Data(bytes[field.start..<end])
        fields.append(Field(name: field.name, key: field.name.lowercased(), raw: raw))
    }

    /// The first field of this name; case does not matter.
    func first(_ name: String) -> String? {
        let key = name.lowercased()
        return fields.first { $0.key == key }?.value
    }

    func all(_ name: String) -> [String] {
        let key = name.lowercased()
        return fields.filter { $0.key == key }.map(\.value)
    }

    /// The value of a field; nil as well when the field is there twice.
    func single(_ name: String) -> String? {
        let values = all(name)
        return values.count == 1 ? values[0] : nil
    }

    /// RFC 5322, section 4.5: older mail may have white space before the colon.
    /// https://www.rfc-editor.org/rfc/rfc5322#section-4.5
    private static func name(of line: ArraySlice<UInt8>) -> String? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var name = line[..<colon]
        while name.last == 0x20 || name.last == 0x09 { name.removeLast() }
        guard !name.isEmpty, name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}

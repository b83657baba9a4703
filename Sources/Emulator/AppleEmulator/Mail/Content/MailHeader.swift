import Foundation

struct MailHeader {
    /// The maximum size of a header, in bytes; the rest belongs to the body.
    static let maximumByteCount = 256 * 1024
    /// The maximum number of fields; a mail with more is refused.
    static let maximumFieldCount = 1_000

    struct Field {
        let name: String
        /// The name in lower case.
        fileprivate let key: String
        /// The lines of the field, with their line ends.
        let raw: Data

        var value: String {
            let text = String(decoding: raw, as: UTF8.self)
            let value = text.drop { $0 != ":" }.dropFirst()
            // RFC 5322, section 2.2.3: unfolding removes the line ends before white space.
            // https://www.rfc-editor.org/rfc/rfc5322#section-2.2.3
            return value.filter { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
        }
    }

    private(set) var fields: [Field] = []
    private(set) var hasTooManyFields = false
    private(set) var bodyOffset = 0

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
            // A line that crosses the limit belongs to the body.
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
            // A line that is not a field begins the body, as for most servers.
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

    /// The first field with this name, which is case-insensitive.
    func first(_ name: String) -> String? {
        let key = name.lowercased()
        return fields.first { $0.key == key }?.value
    }

    func all(_ name: String) -> [String] {
        let key = name.lowercased()
        return fields.filter { $0.key == key }.map(\.value)
    }

    /// The value of a field; nil if it is missing or repeated.
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

import Foundation

/// The fields above a mail's text, as they were sent.
struct MailHeader {
    /// The longest header, in bytes; what comes after belongs to the text.
    static let byteCountMax = 256 * 1024

    struct Field {
        let name: String
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

    private(set) var fields: [Field] = []
    /// Where the text begins.
    let bodyOffset: Int

    init(_ content: Data) {
        var position = content.startIndex
        var start = position
        var pending: (name: String, start: Int)?
        var fields: [Field] = []
        let end = min(content.endIndex, content.startIndex + Self.byteCountMax)
        func finish(at index: Int) {
            guard let field = pending else { return }
            fields.append(Field(name: field.name, raw: Data(content[field.start..<index])))
            pending = nil
        }
        while position < end {
            start = position
            let lineEnd = content[position...].firstIndex(of: 0x0A) ?? content.endIndex
            position = lineEnd == content.endIndex ? lineEnd : lineEnd + 1
            let line = content[start..<lineEnd]
            if pending != nil, line.first == 0x20 || line.first == 0x09 {
                start = position
                continue
            }
            finish(at: start)
            if line.isEmpty || line.elementsEqual([0x0D]) {
                start = position
                break
            }
            // A line that is no field begins the text, as most servers take it.
            guard let name = Self.name(of: line) else { break }
            pending = (name, start)
            start = position
        }
        finish(at: start)
        self.fields = fields
        bodyOffset = start - content.startIndex
    }

    /// The first field of this name; case does not matter.
    func first(_ name: String) -> String? { all(name).first }

    func all(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    private static func name(of line: Data) -> String? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            return nil
        }
        let name = line[..<colon]
        guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}

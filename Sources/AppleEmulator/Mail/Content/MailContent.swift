import AppleIdentity
import Foundation

/// What a mail says: its text, its page, and what is attached.
struct MailContent {
    /// How deep parts may hold parts.
    static let depthMax = 10
    /// How many parts are read.
    static let partCountMax = 200

    struct Attachment {
        let name: String?
        let type: String
        let byteCount: Int
    }

    private(set) var text: String?
    private(set) var html: String?
    private(set) var attachments: [Attachment] = []
    private var partCount = 0

    init(_ message: Data) {
        read(message, depth: 0)
    }

    private mutating func read(_ part: Data, depth: Int) {
        guard depth < Self.depthMax, partCount < Self.partCountMax else { return }
        partCount += 1
        let header = MailHeader(part)
        let type = MailContentType(header.first("Content-Type") ?? "text/plain")
        let body = Data(part.dropFirst(header.bodyOffset))
        if type.value.hasPrefix("multipart/"), let boundary = type.parameters["boundary"] {
            for part in Self.parts(of: body, boundary: boundary) { read(part, depth: depth + 1) }
        } else {
            let encoding = header.first("Content-Transfer-Encoding")
            let bytes = MailTransferEncoding.decoded(body, encoding)
            keep(bytes, type, MailContentType(header.first("Content-Disposition") ?? ""))
        }
    }

    private mutating func keep(
        _ bytes: Data,
        _ type: MailContentType,
        _ disposition: MailContentType
    ) {
        let isAttached = disposition.value == "attachment"
        let charset = type.parameters["charset"]
        if !isAttached, type.value == "text/plain", text == nil {
            text = MailCharset.text(bytes, charset)
        } else if !isAttached, type.value == "text/html", html == nil {
            html = MailCharset.text(bytes, charset)
        } else {
            let name = disposition.parameters["filename"] ?? type.parameters["name"]
            attachments.append(
                Attachment(
                    name: name.map(MailHeaderText.decoded),
                    type: type.value,
                    byteCount: bytes.count
                )
            )
        }
    }

    /// RFC 2046, section 5.1.1: parts begin after a line of two hyphens and the boundary; the line
    /// end before such a line belongs to it.
    /// https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
    private static func parts(of body: Data, boundary: String) -> [Data] {
        guard !boundary.isEmpty, boundary.utf8.count <= 70 else { return [] }
        let mark = Data("--\(boundary)".utf8)
        var parts: [Data] = []
        var start: Int?
        var position = body.startIndex
        while position < body.endIndex, parts.count < partCountMax {
            let lineEnd = body[position...].firstIndex(of: 0x0A) ?? body.endIndex
            let line = body[position..<lineEnd]
            if line.starts(with: mark) {
                let rest = String(decoding: line.dropFirst(mark.count), as: UTF8.self)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                if rest.isEmpty || rest == "--" {
                    if let start { parts.append(withoutLineEnd(body[start..<position])) }
                    start = rest.isEmpty ? min(lineEnd + 1, body.endIndex) : nil
                    if rest == "--" { return parts }
                }
            }
            position = lineEnd == body.endIndex ? lineEnd : lineEnd + 1
        }
        if let start { parts.append(Data(body[start...])) }
        return parts
    }

    private static func withoutLineEnd(_ part: Data) -> Data {
        var part = part
        if part.last == 0x0A { part = part.dropLast() }
        if part.last == 0x0D { part = part.dropLast() }
        return Data(part)
    }

    var object: JSONObject {
        var object: JSONObject = [:]
        object["text"] = text.map { .string($0) }
        object["html"] = html.map { .string($0) }
        object["attachments"] = .array(
            attachments.map { attachment in
                var object: JSONObject = [
                    "content_type": .string(attachment.type),
                    "byte_count": .integer(attachment.byteCount),
                ]
                object["filename"] = attachment.name.map { .string($0) }
                return .object(object)
            }
        )
        return object
    }
}

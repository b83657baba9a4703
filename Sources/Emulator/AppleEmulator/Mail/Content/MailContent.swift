import AppleIdentity
import Foundation

struct MailContent {
    static let maximumDepth = 10
    static let maximumPartCount = 200

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
        let bytes = Array(message)
        read(bytes, 0..<bytes.count, parts: MailParts(bytes), depth: 0)
    }

    private mutating func read(_ bytes: [UInt8], _ part: Range<Int>, parts: MailParts, depth: Int) {
        guard depth < Self.maximumDepth, partCount < Self.maximumPartCount else { return }
        partCount += 1
        let header = MailHeader(bytes[part])
        let type = MailContentType(header.first("Content-Type") ?? "text/plain")
        let body = part.lowerBound + header.bodyOffset..<part.upperBound
        if type.value.hasPrefix("multipart/"), let boundary = type.parameters["boundary"] {
            let maximumCount = Self.maximumPartCount - partCount
            for part in parts.parts(of: body, boundary: boundary, maximumCount: maximumCount) {
                read(bytes, part, parts: parts, depth: depth + 1)
            }
        } else {
            let encoding = header.first("Content-Transfer-Encoding")
            let decoded = MailTransferEncoding.decoded(Data(bytes[body]), encoding)
            keep(decoded, type, MailContentType(header.first("Content-Disposition") ?? ""))
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

    /// The headers, the content and the source of a mail.
    static func document(of message: Data) -> JSONObject {
        let headers = MailHeader(message).fields.map { field -> JSONValue in
            [
                "name": .string(field.name), "value": .string(MailHeaderText.decoded(field.value)),
            ]
        }
        let document = JSONObject([.init(name: "headers", value: .array(headers))])
        let raw = JSONValue.string(String(decoding: message, as: UTF8.self))
        return document.merging(MailContent(message).object).merging(["raw": raw])
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

/// The positions of a mail's parts, found in one pass over its bytes.
struct MailParts {
    /// The maximum number of lines with two leading hyphens; parts after them are not found.
    static let maximumHyphenLineCount = 20_000
    /// The maximum size of a boundary, in bytes: RFC 2046, section 5.1.1.
    static let maximumBoundaryByteCount = 70

    private let bytes: [UInt8]
    /// The lines that may begin a part, without their line ends.
    private let hyphenLines: [Range<Int>]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        hyphenLines = Self.hyphenLines(of: bytes)
    }

    private static func hyphenLines(of bytes: [UInt8]) -> [Range<Int>] {
        let hyphen = UInt8(ascii: "-")
        var lines: [Range<Int>] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == 0x0A {
            if index - start >= 2, bytes[start] == hyphen, bytes[start + 1] == hyphen {
                lines.append(start..<index)
                if lines.count == maximumHyphenLineCount { return lines }
            }
            start = index + 1
        }
        if bytes.count - start >= 2, bytes[start] == hyphen, bytes[start + 1] == hyphen {
            lines.append(start..<bytes.count)
        }
        return lines
    }

    /// The parts within a part.
    ///
    /// RFC 2046, section 5.1.1: they begin after a line of two hyphens and the boundary; the line end
    /// before such a line belongs to it. https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
    func parts(of body: Range<Int>, boundary: String, maximumCount: Int) -> [Range<Int>] {
        guard !boundary.isEmpty, boundary.utf8.count <= Self.maximumBoundaryByteCount else {
            return []
        }
        let mark = Array("--\(boundary)".utf8)
        var parts: [Range<Int>] = []
        var start: Int?
        for line in hyphenLines where line.lowerBound >= body.lowerBound {
            guard line.lowerBound < body.upperBound, parts.count < maximumCount else { break }
            let text = bytes[line.clamped(to: body)]
            guard text.starts(with: mark), let isLast = Self.isLast(text.dropFirst(mark.count))
            else { continue }
            if let start { parts.append(start..<withoutLineEnd(start, line.lowerBound)) }
            start = isLast ? nil : min(line.upperBound + 1, body.upperBound)
            if isLast { return parts }
        }
        if let start, parts.count < maximumCount { parts.append(start..<body.upperBound) }
        return parts
    }

    /// Whether the boundary is the last one, followed by hyphens; nil for another line.
    private static func isLast(_ rest: ArraySlice<UInt8>) -> Bool? {
        let isLast = rest.starts(with: Array("--".utf8))
        let end = isLast ? rest.dropFirst(2) : rest
        return end.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? isLast : nil
    }

    private func withoutLineEnd(_ start: Int, _ end: Int) -> Int {
        var end = end
        if end > start, bytes[end - 1] == 0x0A { end -= 1 }
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return end
    }
}

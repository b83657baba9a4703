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

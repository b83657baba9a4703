import AppleEmulator
import NIOCore

struct SMTPServerReply: Equatable {
    static let maximumByteCount = 64 * 1024

    let code: Int
    let line: String

    /// Takes a complete reply from the buffer; nil if more bytes are needed.
    static func read(from buffer: inout ByteBuffer) throws(SMTPClientError) -> SMTPServerReply? {
        guard buffer.readableBytes <= maximumByteCount else {
            throw SMTPClientError(reason: "the server's reply is too long")
        }
        var rest = buffer
        while let end = rest.readableBytesView.firstIndex(of: 0x0A) {
            let bytes = rest.readSlice(length: end - rest.readerIndex) ?? ByteBuffer()
            rest.moveReaderIndex(forwardBy: 1)
            var line = String(buffer: bytes)
            if line.hasSuffix("\r") { line.removeLast() }
            guard let code = Int(line.prefix(3)), (200...599).contains(code) else {
                throw SMTPClientError(reason: "the server's reply is not valid SMTP")
            }
            if line.dropFirst(3).first == "-" { continue }
            buffer = rest
            let isReadable = !line.hasControlCharacter
            return SMTPServerReply(
                code: code,
                line: isReadable ? String(line.prefix(512)) : "\(code)"
            )
        }
        return nil
    }
}

/// The reason why another mail server did not accept a message.
struct SMTPClientError: Error, Equatable { let reason: String }

extension MailReply {
    /// The lines as sent, one for each of the text; a hyphen means that another line follows.
    var lines: String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().map { index, text in
            let isLast = index == lines.count - 1
            return "\(code)\(isLast ? " " : "-")\(status.map { $0 + " " } ?? "")\(text)\r\n"
        }
        .joined()
    }
}

import AppleEmulator
import Foundation
import NIOCore

/// Splits a client's bytes into commands and messages; only CR LF ends a line.
struct SMTPReader {
    /// The longest command, in bytes with its end: RFC 5321 requires 512, extensions require more.
    static let maximumCommandByteCount = 1_024
    /// The longest line of a message, in bytes with its end and without an added dot: RFC 5321,
    /// section 4.5.3.1.6.
    static let maximumLineByteCount = 1_000

    enum Event: Equatable {
        case command([UInt8])
        case commandTooLong
        case message(Data)
        /// The message ended; it has a line over the limit.
        case lineTooLong
        /// The message ended; it is over the limit.
        case messageTooBig
        /// The message ended; it was dropped while it was read.
        case messageDropped
        /// A bare CR or LF: two servers could see different messages here.
        case bareLineEnd
        /// A message so far over the limit that its end is not awaited.
        case flood
    }

    private enum Line {
        case whole(ByteBufferView)
        case tooLong
        case bare
    }

    private let maximumMessageByteCount: Int
    private var buffer = ByteBuffer()
    private var isReadingMessage = false
    private var isSkippingLine = false
    private var message = Data()
    private var messageByteCount = 0
    private var hasLongLine = false
    private var isDropped = false

    var heldByteCount: Int { buffer.readableBytes + message.count }

    init(maximumMessageByteCount: Int) { self.maximumMessageByteCount = maximumMessageByteCount }

    mutating func append(_ bytes: ByteBuffer) {
        buffer.discardReadBytes()
        buffer.writeImmutableBuffer(bytes)
    }

    /// Reads the following lines as a message, until a line with only a dot.
    mutating func expectMessage() {
        isReadingMessage = true
        message = Data()
        messageByteCount = 0
        hasLongLine = false
        isDropped = false
    }

    /// Drops the message that is being read.
    mutating func dropMessage() {
        isDropped = true
        message = Data()
    }

    /// Returns the next event; nil if more bytes are needed.
    mutating func next() -> Event? {
        let maximumLine =
            isReadingMessage ? Self.maximumLineByteCount : Self.maximumCommandByteCount
        while let line = nextLine(maximumByteCount: maximumLine) {
            switch line {
            case .bare: return .bareLineEnd
            case .tooLong where !isReadingMessage: return .commandTooLong
            case .tooLong: hasLongLine = true
            case .whole(let bytes) where !isReadingMessage: return .command(Array(bytes))
            case .whole(let bytes):
                if let event = add(bytes) { return event }
            }
        }
        return messageByteCount > 2 * maximumMessageByteCount ? .flood : nil
    }

    /// RFC 5321, section 4.5.2: a line with only a dot ends the message; others lose a leading dot.
    /// https://www.rfc-editor.org/rfc/rfc5321#section-4.5.2
    private mutating func add(_ line: ByteBufferView) -> Event? {
        let dot = UInt8(ascii: ".")
        if line.count == 1, line.first == dot {
            isReadingMessage = false
            defer { message = Data() }
            if messageByteCount > maximumMessageByteCount { return .messageTooBig }
            if isDropped { return .messageDropped }
            return hasLongLine ? .lineTooLong : .message(message)
        }
        let text = line.first == dot ? line.dropFirst() : line
        messageByteCount += text.count + 2
        if messageByteCount > maximumMessageByteCount || isDropped {
            message = Data()
        } else {
            message.append(contentsOf: text)
            message.append(contentsOf: [0x0D, 0x0A])
        }
        return nil
    }

    private mutating func nextLine(maximumByteCount: Int) -> Line? {
        let view = buffer.readableBytesView
        guard let end = view.firstIndex(where: { $0 == 0x0D || $0 == 0x0A }) else {
            // A line that is already too long is not kept.
            if view.count > maximumByteCount { skip(view.count) }
            return nil
        }
        guard view[end] == 0x0D else { return .bare }
        guard end + 1 < view.endIndex else { return nil }
        guard view[end + 1] == 0x0A else { return .bare }
        let line = view[view.startIndex..<end]
        let addedCount = isReadingMessage && line.first == UInt8(ascii: ".") ? 1 : 0
        let isTooLong = isSkippingLine || line.count + 2 - addedCount > maximumByteCount
        if isTooLong { skip(line.count) }
        isSkippingLine = false
        buffer.moveReaderIndex(to: end + 2)
        return isTooLong ? .tooLong : .whole(line)
    }

    private mutating func skip(_ byteCount: Int) {
        isSkippingLine = true
        if isReadingMessage { messageByteCount += byteCount }
        buffer.moveReaderIndex(forwardBy: byteCount)
    }
}

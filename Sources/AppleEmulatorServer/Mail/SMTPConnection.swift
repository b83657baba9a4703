import AppleEmulator
import NIOCore

/// Holds one conversation with a mail client.
struct SMTPConnection {
    /// How much is read of a conversation, in bytes: five mails of the longest, or many short ones.
    static let maximumByteCount = 5 * AppleEmulator.maximumMailByteCount

    let emulator: AppleEmulator
    private var reader = SMTPReader(maximumMessageByteCount: AppleEmulator.maximumMailByteCount)
    private var session = SMTPSession()
    private var isOver = false
    private var byteCount = 0

    private let maximumByteCount: Int
    private let memory: SMTPMemory
    private var heldByteCount = 0

    /// - Parameters:
    ///   - emulator: whose people get mail.
    ///   - maximumByteCount: how much is read, in bytes.
    ///   - memory: what all conversations hold together.
    init(emulator: AppleEmulator, maximumByteCount: Int, memory: SMTPMemory) {
        self.emulator = emulator
        self.maximumByteCount = maximumByteCount
        self.memory = memory
    }

    mutating func run(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        defer { _ = memory.change(by: -heldByteCount) }
        try await outbound.write(ByteBuffer(string: SMTPSession.greeting.text))
        for try await bytes in inbound {
            byteCount += bytes.readableBytes
            guard byteCount <= maximumByteCount else {
                return try await outbound.write(ByteBuffer(string: SMTPSession.tooMuch.text))
            }
            let answers = await answers(to: bytes)
            if !answers.isEmpty { try await outbound.write(ByteBuffer(string: answers)) }
            if isOver { return }
        }
    }

    /// The answers to all commands that are whole, in their order.
    private mutating func answers(to bytes: ByteBuffer) async -> String {
        reader.append(bytes)
        var text = ""
        while !isOver, let event = reader.next() { text += await answer(to: event).text }
        hold()
        return text
    }

    /// Accounts for what is held now; a mail for which nothing is left is read and forgotten.
    private mutating func hold() {
        if memory.change(by: reader.heldByteCount - heldByteCount) {
            heldByteCount = reader.heldByteCount
        } else {
            // A part of a line is left, which is bounded by itself.
            reader.dropMessage()
            _ = memory.change(by: -heldByteCount)
            heldByteCount = 0
        }
    }

    private mutating func answer(to event: SMTPReader.Event) async -> SMTPAnswer {
        switch session.step(event) {
        case .answer(let answer): return answer
        case .admit(let address, let sender):
            let refusal = await emulator.admitRecipient(address, from: sender)
            return session.recipient(address, wasRefusedWith: refusal)
        case .readMessage(let answer):
            reader.expectMessage()
            return answer
        case .deliver(let envelope, let data):
            return SMTPAnswer(await emulator.receiveMail(envelope, data))
        case .end(let answer):
            isOver = true
            return answer
        }
    }
}

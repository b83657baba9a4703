import AppleEmulator
import Foundation
import NIOCore
import Synchronization

struct SMTPConnection {
    /// The bytes that are read in a session: five of the longest messages, or many short ones.
    static let maximumByteCount = 5 * AppleEmulator.maximumMailByteCount

    let worlds: Worlds
    private var reader = SMTPReader(maximumMessageByteCount: AppleEmulator.maximumMailByteCount)
    private var session: SMTPSession
    private var isOver = false
    private var isStartingTLS = false
    private var byteCount = 0

    /// Sends the reply in plain text and begins TLS after it.
    ///
    /// The first parameter is the number of bytes that were read; if others arrived, nothing is sent, and it returns
    /// false.
    typealias StartTLS = @Sendable (Int, ByteBuffer) async throws -> Bool

    private static let tooEarly = MailReply(
        503,
        "5.5.1",
        "no command may follow STARTTLS before TLS begins"
    )

    private let startTLS: StartTLS?
    private let maximumByteCount: Int
    private let memory: SMTPMemory
    private var heldByteCount = 0

    init(
        worlds: Worlds,
        maximumByteCount: Int,
        memory: SMTPMemory,
        startTLS: StartTLS? = nil
    ) {
        (self.worlds, self.maximumByteCount, self.memory) = (worlds, maximumByteCount, memory)
        self.startTLS = startTLS
        session = SMTPSession(offersTLS: startTLS != nil)
    }

    mutating func run(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        defer { _ = memory.change(by: -heldByteCount) }
        try await outbound.write(ByteBuffer(string: SMTPSession.greeting.lines))
        for try await bytes in inbound {
            byteCount += bytes.readableBytes
            guard byteCount <= maximumByteCount else {
                return try await outbound.write(ByteBuffer(string: SMTPSession.tooMuch.lines))
            }
            let answers = ByteBuffer(string: await answers(to: bytes))
            if isStartingTLS {
                guard let startTLS, try await startTLS(byteCount, answers) else {
                    return try await outbound.write(ByteBuffer(string: Self.tooEarly.lines))
                }
                // What the client said in plain text does not count.
                // https://www.rfc-editor.org/rfc/rfc3207#section-4.2
                (session, isStartingTLS) = (SMTPSession(), false)
            } else if answers.readableBytes > 0 {
                try await outbound.write(answers)
            }
            if isOver { return }
        }
    }

    /// Returns the replies to all complete commands, in their order.
    private mutating func answers(to bytes: ByteBuffer) async -> String {
        reader.append(bytes)
        var text = ""
        while !isOver, let event = reader.next() { text += await answer(to: event).lines }
        hold()
        return text
    }

    /// Accounts for the held bytes; a message over the shared limit is read and dropped.
    private mutating func hold() {
        if memory.change(by: reader.heldByteCount - heldByteCount) {
            heldByteCount = reader.heldByteCount
        } else {
            // Only a part of a line remains, whose length is limited.
            reader.dropMessage()
            _ = memory.change(by: -heldByteCount)
            heldByteCount = 0
        }
    }

    private mutating func answer(to event: SMTPReader.Event) async -> MailReply {
        switch session.step(event) {
        case .answer(let answer): return answer
        case .startTLS(let answer):
            // Anyone on the network can add plain text, which the new session would read.
            guard reader.heldByteCount == 0 else {
                isOver = true
                return Self.tooEarly
            }
            isStartingTLS = true
            return answer
        case .admit(let address, let sender):
            let world = await worlds.recipient(address, user: session.user)
            let refusal = await world.emulator.admitRecipient(address, from: sender)
            return session.recipient(address, wasRefusedWith: refusal)
        case .readMessage(let answer):
            reader.expectMessage()
            return answer
        case .deliver(let envelope, let data): return await deliver(envelope, data)
        case .end(let answer):
            isOver = true
            return answer
        }
    }

    /// Delivers the message to each world with its own recipients.
    func deliver(_ envelope: MailEnvelope, _ data: Data) async -> MailReply {
        var shares: [(world: World, recipients: [MailAddress])] = []
        for recipient in envelope.recipients {
            let world = await worlds.recipient(recipient, user: session.user)
            if let index = shares.firstIndex(where: { $0.world === world }) {
                shares[index].recipients.append(recipient)
            } else {
                shares.append((world, [recipient]))
            }
        }
        var replies: [MailReply] = []
        for share in shares {
            let part = MailEnvelope(
                clientName: envelope.clientName,
                sender: envelope.sender,
                recipients: share.recipients
            )
            replies.append(await share.world.emulator.receiveMail(part, data))
        }
        return replies.first { $0.code == 250 } ?? replies.first
            ?? MailReply(554, "5.5.1", "no recipient was accepted")
    }
}

/// Limits the memory for the unfinished messages of all sessions together.
///
/// Each session may send a long message; a hundred at a time would take two gigabytes.
final class SMTPMemory: Sendable {
    static let maximumByteCount = 64 * 1024 * 1024

    private let maximumByteCount: Int
    private let held = Mutex(0)

    init(maximumByteCount: Int = SMTPMemory.maximumByteCount) {
        self.maximumByteCount = maximumByteCount
    }

    var heldByteCount: Int { held.withLock { $0 } }

    /// Reserves bytes, or releases them if `byteCount` is negative.
    ///
    /// - Returns: whether the bytes were available; otherwise nothing is reserved.
    func change(by byteCount: Int) -> Bool {
        held.withLock { held in
            guard byteCount <= 0 || held + byteCount <= maximumByteCount else { return false }
            held += byteCount
            return true
        }
    }
}

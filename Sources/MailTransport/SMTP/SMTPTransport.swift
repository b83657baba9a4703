import Foundation

/// Hands messages to a mail server, a few at a time, on threads that may wait.
package struct SMTPTransport: Sendable {
    /// How many conversations there are at once; others wait for their turn.
    static let maximumConcurrency = 4
    /// How long an encoded message may be, in bytes.
    package static let maximumMessageByteCount = 256 * 1024

    private let server: SMTPServer
    private let surroundings: SMTPSurroundings
    private let limits: SMTPTimeLimits
    private let queue: OperationQueue

    package init(to server: SMTPServer) {
        self.init(to: server, in: SMTPSurroundings())
    }

    package init(
        to server: SMTPServer,
        in surroundings: SMTPSurroundings = SMTPSurroundings(),
        limits: SMTPTimeLimits = SMTPTimeLimits()
    ) {
        self.server = server
        self.surroundings = surroundings
        self.limits = limits
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = Self.maximumConcurrency
        queue.name = "mail"
    }

    /// Hands a message to the server, which is responsible for it then; throws ``SMTPFailure`` when the server did
    /// not take it, or may not have.
    package func send(_ message: MailMessage) async throws(SMTPFailure) {
        let content = message.encoded()
        guard content.count <= Self.maximumMessageByteCount else {
            throw .unsendable("the message has more than \(Self.maximumMessageByteCount) bytes")
        }
        try await converse(
            SMTPConversation(
                server: server,
                surroundings: surroundings,
                limits: limits,
                name: message.from.domain,
                envelope: (message.from.address, message.to.address),
                content: content
            )
        )
    }

    /// Finds out whether the server can be reached, by TLS and with the password, and sends nothing; throws
    /// ``SMTPFailure`` when not.
    package func check(greetingAs name: String) async throws(SMTPFailure) {
        try await converse(
            SMTPConversation(
                server: server,
                surroundings: surroundings,
                limits: limits,
                name: name,
                envelope: nil,
                content: []
            )
        )
    }

    /// libcurl waits with the thread: it must not be one that others' tasks run on.
    private func converse(_ conversation: SMTPConversation) async throws(SMTPFailure) {
        let result = await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: conversation.run()) }
        }
        try result.get()
    }
}

/// How long a mail server may take before it counts as away.
package struct SMTPTimeLimits: Hashable, Sendable {
    /// Until the connection stands: encrypted, greeted and signed in.
    package var connection: Duration
    /// For one conversation, all of it.
    package var conversation: Duration

    /// Sets limits, each of at least a millisecond.
    package init(connection: Duration = .seconds(20), conversation: Duration = .seconds(45)) {
        self.connection = connection
        self.conversation = conversation
    }
}

/// Where hosts and trusted certificates are found; what is left out is as the system has it.
package struct SMTPSurroundings: Hashable, Sendable {
    /// Addresses of hosts, as `host:port:address`.
    package var resolved: [String]
    /// A file of certificates in PEM that alone are trusted.
    package var trustedCertificatesPath: String?

    package init(resolved: [String] = [], trustedCertificatesPath: String? = nil) {
        self.resolved = resolved
        self.trustedCertificatesPath = trustedCertificatesPath
    }
}

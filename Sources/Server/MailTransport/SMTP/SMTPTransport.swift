import Foundation

/// Sends messages to a mail server, a few at a time, on threads that may block.
///
/// It keeps its connections for further messages until ``disconnect()``, or until it is released.
package struct SMTPTransport: Sendable {
    /// The maximum number of conversations at the same time; others wait.
    static let maximumConcurrency = 4
    /// The maximum length of an encoded message, in bytes.
    package static let maximumMessageByteCount = 256 * 1024

    private let server: SMTPServer
    private let surroundings: SMTPSurroundings
    private let limits: SMTPTimeLimits
    private let queue: OperationQueue
    private let connections = SMTPConnections()

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

    /// Sends a message and returns when the server has accepted it; throws ``SMTPFailure`` when the server did not
    /// accept it, or may not have.
    package func send(_ message: MailMessage) async throws(SMTPFailure) {
        let content = message.encoded()
        guard content.count <= Self.maximumMessageByteCount else {
            throw .unsendable("the message has more than \(Self.maximumMessageByteCount) bytes")
        }
        let envelope = (message.from.address, message.to.address)
        try await converse(greetingAs: message.from.domain, envelope, content)
    }

    /// Checks the connection to the server, with TLS and authentication, and sends nothing; throws ``SMTPFailure``.
    package func check(greetingAs name: String) async throws(SMTPFailure) {
        try await converse(greetingAs: name, nil, [])
    }

    /// Ends the connections that no message uses.
    package func disconnect() {
        queue.addOperation { [connections] in connections.close() }
    }

    /// Runs a conversation on the queue, because libcurl blocks its thread.
    private func converse(
        greetingAs name: String,
        _ envelope: (sender: String, recipient: String)?,
        _ content: [UInt8]
    ) async throws(SMTPFailure) {
        let conversation = SMTPConversation(
            server: server,
            surroundings: surroundings,
            limits: limits,
            name: name,
            envelope: envelope,
            content: content
        )
        let result = await withCheckedContinuation { continuation in
            queue.addOperation { [connections] in
                continuation.resume(returning: connections.run(conversation))
            }
        }
        try result.get()
    }
}

/// The time limits of a conversation with a mail server.
package struct SMTPTimeLimits: Hashable, Sendable {
    /// The limit for the connection, with encryption and authentication.
    package var connection: Duration
    package var conversation: Duration

    /// Creates limits; each is at least a millisecond.
    package init(connection: Duration = .seconds(20), conversation: Duration = .seconds(45)) {
        self.connection = connection
        self.conversation = conversation
    }
}

/// Fixed host addresses and trusted certificates, by default those of the system.
package struct SMTPSurroundings: Hashable, Sendable {
    /// IP addresses of hosts, as `host:port:address`.
    package var resolved: [String]
    /// A PEM file of certificates that replace the system's trusted ones.
    package var trustedCertificatesPath: String?

    package init(resolved: [String] = [], trustedCertificatesPath: String? = nil) {
        self.resolved = resolved
        self.trustedCertificatesPath = trustedCertificatesPath
    }
}

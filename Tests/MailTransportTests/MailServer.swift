import Foundation
import MailTransport
import Synchronization
import TestSupport
import Testing

/// aiosmtpd beside the tests, which takes mail and tells how it reads it.
final class MailServer: Sendable {
    /// What the server is to be, as the script takes it.
    struct Options: Encodable {
        /// The name on its certificate; nil for no TLS.
        var name: String?
        /// Whether TLS begins with the first byte, instead of by STARTTLS.
        var isTLS = false
        var user: String?
        var password: String?
        /// What it answers instead, by command.
        var replies: [String: String] = [:]
        /// Where it says nothing any more: at the `greeting`, in the `content`, at its `end`, or after
        /// that at the `goodbye`; or where it hangs up: `hangUp`, before the content.
        var stopsAt: String?
        /// The number of messages that it takes on one connection; nil for no limit.
        var messageLimit: Int?
        var port = 0
        var folder = ""
    }

    /// A message as Python's own reader has it.
    struct Received: Decodable {
        /// The number of the connection, from 1.
        let connection: Int
        let greeting: String
        let sender: String
        let recipients: [String]
        let isEncrypted: Bool
        let isAuthenticated: Bool
        let fields: [[String]]
        let types: [String]
        let defects: [String]
        let text: String
        let html: String
        let raw: String

        /// Every value of a field.
        func field(_ name: String) -> [String] {
            fields.filter { $0[0].lowercased() == name.lowercased() }.map { $0[1] }
        }
    }

    let port: Int
    private let lines: AsyncStream<Data>
    private let certificate: URL

    private init(port: Int, lines: AsyncStream<Data>, certificate: URL) {
        self.port = port
        self.lines = lines
        self.certificate = certificate
    }

    /// Where its name leads to this machine, and its certificate is trusted.
    func surroundings(name: String, isTrusted: Bool = true) -> SMTPSurroundings {
        SMTPSurroundings(
            resolved: ["\(name):\(port):127.0.0.1"],
            trustedCertificatesPath: isTrusted ? certificate.path() : nil
        )
    }

    /// The next message that it took.
    func received() async throws -> Received {
        for await line in lines { return try JSONDecoder().decode(Received.self, from: line) }
        throw MailServerError(reason: "the mail server has ended")
    }

    /// The next place where it stopped.
    func stopped() async throws -> String? {
        for await line in lines {
            return try JSONDecoder().decode([String: String].self, from: line)["stoppedAt"]
        }
        throw MailServerError(reason: "the mail server has ended")
    }

    /// Runs the body beside a server.
    static func with(
        _ options: Options = Options(),
        _ body: (MailServer) async throws -> Void
    ) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = options
        options.folder = folder.path()
        let process = Process()
        process.executableURL = try await python.value
        process.arguments = [
            script.path(), String(decoding: try JSONEncoder().encode(options), as: UTF8.self),
        ]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        let lines = lines(of: output.fileHandleForReading)
        try process.run()
        defer {
            // Its signals are blocked as ours are, and this one can not be.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        var iterator = lines.makeAsyncIterator()
        guard let first = await iterator.next() else {
            throw MailServerError(reason: "the mail server does not start")
        }
        let port = try JSONDecoder().decode([String: Int].self, from: first)["port"]
        try await body(
            MailServer(
                port: try #require(port),
                lines: lines,
                certificate: folder.appending(path: "certificate.pem")
            )
        )
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let script = folder.appending(path: "mail_server.py")

    /// The Python that has the libraries of Tests/Python/requirements.txt.
    private static let python = Task {
        let process = Process()
        process.executableURL =
            folder.appending(path: "../../scripts/python-libraries").standardized
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let path = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw MailServerError(reason: "scripts/python-libraries failed")
        }
        return URL(
            filePath: String(decoding: path, as: UTF8.self).trimmingCharacters(in: .newlines)
        )
    }

    private static func lines(of handle: FileHandle) -> AsyncStream<Data> {
        let (lines, continuation) = AsyncStream<Data>.makeStream()
        let rest = Mutex(Data())
        handle.readabilityHandler = { handle in
            let part = handle.availableData
            guard !part.isEmpty else {
                handle.readabilityHandler = nil
                continuation.finish()
                return
            }
            rest.withLock { rest in
                rest += part
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(Data(rest[..<end]))
                    rest = Data(rest[(end + 1)...])
                }
            }
        }
        return lines
    }
}

struct MailServerError: Error {
    let reason: String
}

extension MailMessage {
    /// A message to Maya.
    static func sample(
        from: String = "Juice <no-reply@juice.example.com>",
        to: String = "maya@example.com",
        name: String? = "Maya",
        subject: String = "A new password",
        text: String = "Hello.\n",
        html: String = "<p>Hello.</p>\n"
    ) throws -> MailMessage {
        MailMessage(
            from: try Mailbox(from),
            to: try Mailbox(name: name, address: to),
            subject: subject,
            text: text,
            html: html,
            language: "en",
            date: Date(timeIntervalSince1970: 1_769_000_000),
            identifier: "0123456789abcdef"
        )
    }
}

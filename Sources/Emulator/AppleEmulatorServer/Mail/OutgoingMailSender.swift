import AppleEmulator
import AppleIdentity
import Logging
import ServiceLifecycle
import StrictHTTP

struct OutgoingMailSender: Service {
    let emulator: AppleEmulator
    let server: MailServerAddress
    let time: TimeSource
    let logger: Logger

    func run() async throws {
        await emulator.handMailOn()
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                while let mail = await emulator.takeOutgoingMail() { await send(mail) }
                await emulator.mailSignal.wait()
            }
        }
    }

    private func send(_ mail: OutgoingMail) async {
        do {
            let answer = try await SMTPClient(server: server, time: time).send(mail)
            await emulator.recordOutgoingMail(mail.number, answer: answer, wasTaken: true)
        } catch {
            let reason =
                (error as? SMTPClientError)?.reason
                ?? "no connection: \(ConnectionFailure.words(for: error) ?? "\(error)")"
            logger.warning("a reply was not accepted", metadata: ["mail": "\(mail.number)"])
            await emulator.recordOutgoingMail(mail.number, answer: reason, wasTaken: false)
        }
    }
}

package struct MailServerAddress: Hashable, Sendable {
    package let host: String
    package let port: Int

    /// Parses `host:port`; nil if the text has another form.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Int(text[text.index(after: colon)...]), (1...65_535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.count <= 255, !host.contains(where: \.isWhitespace) else {
            return nil
        }
        self.host = String(host)
        self.port = port
    }
}

import Accounts
import AppleIdentity
import MailTransport
import SignInWithApple

extension MailSender {
    /// Makes the sender that a server's settings describe; nil when no mail leaves it.
    init?(_ configuration: AccountsServerConfiguration) throws {
        guard let mail = configuration.mail, let origin = configuration.origins.first else {
            return nil
        }
        let renderer = try MailRenderer(
            appName: configuration.appName,
            origin: origin,
            sender: mail.sender
        )
        self.init(
            SMTPTransport(to: mail.server),
            renderer,
            relayDomains: configuration.apple.relayDomains
        )
    }

    package init(
        _ transport: SMTPTransport,
        _ renderer: MailRenderer,
        relayDomains: RelayDomains = .apple
    ) {
        self.init { order, id throws(MailFailure) in
            let message = try Self.message(of: order, id, renderer)
            do throws(SMTPFailure) {
                try await transport.send(message)
            } catch {
                throw MailFailure(error, to: message.to, relayDomains)
            }
        }
    }

    private static func message(
        of order: MailOrder,
        _ id: OutboxID,
        _ renderer: MailRenderer
    ) throws(MailFailure) -> MailMessage {
        do throws(SMTPAddressError) {
            return try renderer.message(order, id: id)
        } catch {
            throw MailFailure(
                "mail_unsendable",
                isRetryable: false,
                hint: "the person's address \(error.message)"
            )
        }
    }
}

extension MailFailure {
    /// Tells a failure; Apple's relay refuses for reasons of its own.
    ///
    /// Source: [Communicating using the private email relay service](
    /// https://developer.apple.com/documentation/signinwithapple/communicating-using-the-private-email-relay-service)
    init(_ failure: SMTPFailure, to recipient: Mailbox, _ relayDomains: RelayDomains) {
        var hint = failure.hint
        if relayDomains.isRelayAddress(recipient.address) {
            switch (failure.code, failure.enhancedStatus) {
            case ("smtp_550", "5.1.1"):
                hint += """
                    ; Apple's relay does not know the sender: register the domain or address of SIWA_MAIL_FROM \
                    at Apple under "Sign in with Apple for Email Communication"
                    """
            case ("smtp_554", _):
                hint += "; Apple's relay wants SPF or DKIM for the domain of SIWA_MAIL_FROM"
            case ("smtp_550", _):
                hint += """
                    ; the person has switched forwarding off at Apple's relay, or stopped using the app
                    """
            default: break
            }
        }
        self.init(failure.code, isRetryable: failure.isRetryable, hint: hint)
    }
}

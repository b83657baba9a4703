import Accounts
import AppleIdentity
import MailTransport
import SignInWithApple

extension MailSender {
    /// Creates the sender of a server's settings; nil when they configure no mail.
    init?(_ configuration: AccountsServerConfiguration) throws {
        guard let mail = configuration.mail, let origin = configuration.origins.first else {
            return nil
        }
        let renderer = try MailRenderer(
            appName: configuration.appName,
            accent: configuration.brand.accent,
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
        } disconnect: {
            transport.disconnect()
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
                hint: "the user's address \(error.message)"
            )
        }
    }
}

extension MailFailure {
    /// Converts an SMTP failure; adds the causes that are specific to Apple's relay.
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
                hint += "; Apple's relay requires SPF or DKIM for the domain of SIWA_MAIL_FROM"
            case ("smtp_550", _):
                hint += """
                    ; the user has turned off forwarding at Apple's relay, or has stopped using the app
                    """
            default: break
            }
        }
        self.init(
            failure.code,
            isRetryable: failure.isRetryable,
            hint: hint,
            refusesRecipient: failure.isOfRecipient && failure.code == "smtp_550"
                && failure.enhancedStatus == "5.7.1"
        )
    }
}

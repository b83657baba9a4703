/// Why a mail is not delivered: Apple's words, and ours for whoever looks for the reason.
struct MailRefusal: Error, Hashable {
    var reply: MailReply
    var reason: String
    var hint: String
}

extension MailRefusal {
    static func unauthorized(_ sender: MailAddress?, team: String) -> MailRefusal {
        MailRefusal(
            reply: MailReply(550, "5.1.1", "<\(sender?.text ?? "")>: unauthorized sender"),
            reason: """
                neither the envelope's sender nor a DKIM signature of the From field's domain is \
                a source that the team \(team) registered
                """,
            hint: "register the domain or address of the envelope's sender: POST /mail-sources"
        )
    }

    static let unauthenticated = MailRefusal(
        reply: MailReply(
            554,
            "5.7.1",
            "[HME1] This message was rejected for failing both SPF and DKIM"
        ),
        reason: "the source is registered, but by its authentication it has no SPF that holds",
        hint: "sign with DKIM for the From field's domain, or publish SPF: authentication spf"
    )

    static func gone(_ address: MailAddress) -> MailRefusal {
        MailRefusal(
            reply: MailReply(550, "5.7.1", "Email rejected due to transformation error"),
            reason: "\(address.text) stands for nobody, or for somebody who stopped using the app",
            hint: "stop writing to addresses whose consent was revoked or whose account is deleted"
        )
    }

    static func forwardingIsOff(_ address: MailAddress) -> MailRefusal {
        MailRefusal(
            reply: MailReply(550, "5.7.1", "Relay not permitted"),
            reason: "the person turned the forwarding of \(address.text) off",
            hint: "listen to the event email-disabled, and write again after email-enabled"
        )
    }

    static func tooMany(_ address: MailAddress) -> MailRefusal {
        MailRefusal(
            reply: MailReply(
                450,
                "4.7.1",
                "<\(address.text)>: \(MailStore.maximumDailyCount) messages were relayed today"
            ),
            reason: "a relay address takes \(MailStore.maximumDailyCount) mails a day",
            hint: "send less, or move the clock to the next day (UTC)"
        )
    }

    static func unknown(_ address: MailAddress) -> MailRefusal {
        MailRefusal(
            reply: MailReply(550, "5.1.1", "<\(address.text)>: nobody has this address here"),
            reason: "no person of the emulator has the address \(address.text)",
            hint: "add the person, or write to a relay address"
        )
    }
}

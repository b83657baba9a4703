/// A refusal of a mail: the SMTP reply, with a reason and a hint for the developer.
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
                neither the envelope's sender nor a DKIM-signed From domain is a registered source \
                of the team \(team)
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
        reason: "the source is registered, but its authentication does not pass SPF",
        hint: "sign with DKIM for the From field's domain, or publish SPF: authentication spf"
    )

    static func gone(_ address: MailAddress) -> MailRefusal {
        MailRefusal(
            reply: MailReply(550, "5.7.1", "Email rejected due to transformation error"),
            reason: "\(address.text) does not exist, or its user stopped using the app",
            hint: "send no mail after consent was revoked or the account was deleted"
        )
    }

    static func forwardingIsOff(_ address: MailAddress) -> MailRefusal {
        MailRefusal(
            reply: MailReply(550, "5.7.1", "Relay not permitted"),
            reason: "the user turned off the forwarding of \(address.text)",
            hint: "handle the event email-disabled, and send again only after email-enabled"
        )
    }

    static func tooMany(_ address: MailAddress) -> MailRefusal {
        MailRefusal(
            reply: MailReply(
                450,
                "4.7.1",
                "<\(address.text)>: \(MailStore.maximumDailyCount) messages were relayed today"
            ),
            reason: "a relay address accepts \(MailStore.maximumDailyCount) messages per day",
            hint: "send fewer, or move the clock to the next day (UTC)"
        )
    }
}

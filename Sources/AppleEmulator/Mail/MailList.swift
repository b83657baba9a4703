import AppleIdentity

/// Mail copied from the store, to be encoded while the emulator answers others.
struct MailList {
    let inbox: [InboxMail]
    let sent: [SentMail]
    let bounces: [MailBounce]

    var object: JSONObject {
        [
            "messages": .array(inbox.map { .object($0.summary) }),
            "sent": .array(sent.map { .object($0.object) }),
            "bounces": .array(bounces.map { .object($0.object) }),
        ]
    }
}

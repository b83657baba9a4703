import AppleIdentity
import Foundation

extension EmulatorState {
    /// Everything behind a number that came, was answered or was refused, oldest first; of one
    /// person, or of all.
    func mailList(of email: String?, after number: Int = 0) throws(ControlRefusal) -> MailList {
        let id = try email.map { email throws(ControlRefusal) in try people.require(email).id }
        func isAsked(_ itsNumber: Int, _ personID: PersonID?) -> Bool {
            itsNumber > number && (id == nil || personID == id)
        }
        return MailList(
            inbox: mail.inbox.filter { isAsked($0.number, $0.personID) },
            sent: mail.sent.filter { isAsked($0.number, $0.personID) },
            bounces: mail.bounces.filter { isAsked($0.number, $0.personID) }
        )
    }

    func inboxMail(_ id: String) throws(ControlRefusal) -> InboxMail {
        guard let number = Int(id), let found = mail.inbox.first(where: { $0.number == number })
        else { throw .notFound("id", "there is no mail \(id.prefix(32)) in an inbox") }
        return found
    }

    /// The person answers: through the relay when the mail came through it.
    mutating func reply(
        to id: String,
        _ object: JSONObject,
        isHandedOn: Bool
    ) throws(ControlRefusal) -> JSONObject {
        let fields = try FieldReader(object, known: ["text"])
        let text = try fields.require("text", fields.read("text", .longText))
        let original = try inboxMail(id)
        guard let person = people[original.personID] else {
            throw .conflict("id", "the person of mail \(original.number) is gone")
        }
        guard let recipient = original.replyTo else {
            throw .conflict("id", "mail \(original.number) names nobody to answer")
        }
        guard let sender = original.relayAddress ?? MailAddress(original.deliveredTo) else {
            throw .conflict("id", "mail \(original.number) was delivered to no address")
        }
        if let relay = original.relayAddress, people.person(relayAddress: relay.text) == nil {
            throw .conflict("id", "the address \(relay.text) is gone")
        }
        let number = mail.nextNumber()
        let draft = ReplyDraft(
            number: number,
            sender: sender,
            name: person.name.displayName,
            recipient: recipient,
            original: MailHeader(original.content),
            text: text,
            time: clock.now
        )
        let sent = SentMail(
            number: number,
            inboxNumber: original.number,
            time: clock.now,
            personID: person.id,
            person: person.account.email,
            sender: sender,
            recipient: recipient,
            text: text,
            content: draft.content,
            state: isHandedOn ? .pending : .kept
        )
        mail.add(sent)
        return sent.object
    }
}

extension ValueForm<String> {
    /// The longest answer, in bytes.
    private static let maximumLongTextByteCount = 64 * 1024

    /// A text of several lines.
    fileprivate static let longText = ValueForm(
        "must be a text of 1 to \(maximumLongTextByteCount) bytes",
        { value in
            value.stringValue.flatMap {
                (1...maximumLongTextByteCount).contains($0.utf8.count) ? $0 : nil
            }
        },
        { .string($0) }
    )
}

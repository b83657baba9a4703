import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation

/// The pages of all mail: delivered messages, replies, and refused mail with the SMTP reply.
extension Console {
    private static let maximumShownCount = 100
    private static let maximumTextCount = 500_000

    var inboxRoutes: [ConsoleRoute] {
        let path = "console/inbox"
        return [
            ConsoleRoute(path, .inbox, page: inbox),
            ConsoleRoute(path + "/clear", .inbox, page: inbox) { visit in
                await visit.emulator.clearMail()
                return .done(.mailCleared, at: ConsoleSection.inbox.path)
            },
            ConsoleRoute(path + "/{id}", .inbox, page: mail),
            ConsoleRoute(path + "/{id}/reply", .inbox, page: mail) { visit in
                let id = visit.parameter("id")
                _ = try await visit.emulator.replyToMail(
                    id: id,
                    visit.object(of: Self.replyForm(id, to: ""))
                )
                return .done(.replied, at: Self.path(ofMail: id))
            },
        ]
    }

    private static func path(ofMail id: String) -> String {
        "\(ConsoleSection.inbox.path)/\(ConsoleText.pathPart(id))"
    }

    private static let clearForm = ConsoleForm(
        "clear",
        to: "/console/inbox/clear",
        "Clear all mail",
        .danger
    )

    private static func replyForm(_ id: String, to address: String) -> ConsoleForm {
        ConsoleForm("reply", to: path(ofMail: id) + "/reply", "Send the reply", .primary)
            .asking([
                ConsoleField(
                    "text",
                    "Reply to \(address)",
                    .area,
                    isRequired: true
                )
            ])
    }

    @Sendable private func inbox(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let list = try await visit.emulator.mail()
        let wanted = visit.query("q").trimmingCharacters(in: .whitespaces)
        let messages = Self.matching(wanted, list.objects("messages"))
        let unreadCount = messages.count { $0["is_read"] == false }
        let isEmpty = ["messages", "sent", "bounces"].allSatisfy { list.objects($0).isEmpty }
        var page = ConsolePage(
            .inbox,
            title: ConsoleSection.inbox.title
                + (unreadCount == 0 ? "" : " (\(unreadCount))"),
            template: "console-inbox",
            content: [
                "q": .string(wanted), "is_searched": .boolean(!wanted.isEmpty),
                "addresses": .array(Self.addresses(of: list.objects("messages"))),
                "messages": .list(Self.latest(messages).map(Self.row)),
                "unread": unreadCount == 0 ? .null : .integer(unreadCount),
                "sent": .list(
                    Self.latest(Self.matching(wanted, list.objects("sent"))).map(Self.answer)
                ),
                "bounces": .list(
                    Self.latest(Self.matching(wanted, list.objects("bounces"))).map(Self.row)
                ),
                "smtp": .string(addresses()?.smtp ?? ""),
                "clear": isEmpty ? .null : visit.content(of: Self.clearForm),
            ]
        )
        page.isLive = true
        return page
    }

    /// The members that a search compares.
    private static let searchedNames = [
        "subject", "from", "to", "person", "delivered_to", "relay_email", "envelope_sender", "smtp",
    ]

    private static func matching(_ wanted: String, _ objects: [JSONObject]) -> [JSONObject] {
        guard !wanted.isEmpty else { return objects }
        return objects.filter { object in
            searchedNames.contains { object.text($0).lowercased().contains(wanted.lowercased()) }
        }
    }

    /// The recipients, which the search field offers.
    private static func addresses(of messages: [JSONObject]) -> [JSONValue] {
        let addresses = Set(messages.map { $0.text("delivered_to") }).sorted()
        return addresses.prefix(maximumShownCount).map { .string($0) }
    }

    private static func latest(_ objects: [JSONObject]) -> [JSONObject] {
        objects.suffix(maximumShownCount).reversed().map { $0.readable("time") }
    }

    /// A delivered or refused mail with its path, recipient and title.
    private static func row(_ mail: JSONObject) -> JSONObject {
        let recipients = ["person", "delivered_to", "to"].map(mail.text)
        let recipient = isRefused(mail) ? mail.text("to") : recipients.first { !$0.isEmpty } ?? ""
        let title = mail.text("subject")
        let untitled = isUnsent(mail) ? "Mail to \(recipient)" : "(no subject)"
        let sender = mail.text(isRefused(mail) ? "envelope_sender" : "from")
        let unnamed = isRefused(mail) ? "an empty sender" : "an unknown sender"
        return mail.merging([
            "path": .string(path(ofMail: String(mail["id"]?.integerValue ?? 0))),
            "sender": .string(sender.isEmpty ? unnamed : sender),
            "recipient": .string(recipient),
            "subject": .string(title.isEmpty ? untitled : title),
        ])
    }

    private static func isRefused(_ mail: JSONObject) -> Bool { mail["smtp"] != nil }

    /// Whether the recipient was refused before the client sent the mail.
    private static func isUnsent(_ mail: JSONObject) -> Bool { mail["byte_count"] == 0 }

    private static func answer(_ sent: JSONObject) -> JSONObject {
        let state = sent.text("state")
        var answer = sent.merging([
            "state": .string(ConsoleText.state(state)),
            "is_kept": .boolean(state == "kept"), "is_failed": .boolean(state == "failed"),
            "original_path": .string(path(ofMail: String(sent["in_reply_to"]?.integerValue ?? 0))),
            "text": .string(String(sent.text("text").prefix(maximumTextCount))),
        ])
        answer["raw"] = nil
        return answer
    }

    @Sendable private func mail(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let id = visit.parameter("id")
        let mail = try await visit.emulator.mail(id: id)
        if mail["is_read"] == false { await visit.emulator.markMailRead(id: id) }
        let answers = try await visit.emulator.mail().objects("sent").filter {
            $0["in_reply_to"] == mail["id"]
        }
        let receiver = mail.text("reply_to").isEmpty ? mail.text("from") : mail.text("reply_to")
        var content = Self.row(mail.readable("time")).merging([
            "text": .list(
                ConsoleText.parts(of: String(mail.text("text").prefix(Self.maximumTextCount)))
            ),
            "html": .string(Self.framed(mail.text("html"))),
            "is_unsent": .boolean(Self.isUnsent(mail)),
            "reason": .string(ConsoleText.sentence(mail.text("reason"))),
            "raw": .string(String(mail.text("raw").prefix(Self.maximumTextCount))),
            "answers": .list(Self.latest(answers).map(Self.answer)),
            "form": Self.isRefused(mail)
                ? .null : visit.content(of: Self.replyForm(id, to: receiver)),
        ])
        content["is_cut"] = .boolean(
            ["text", "html", "raw"].contains { mail.text($0).count > Self.maximumTextCount }
        )
        var page = ConsolePage(
            .inbox,
            title: content.text("subject"),
            template: "console-mail",
            content: content
        )
        page.framesMail = true
        return page
    }

    /// The HTML for the frame, where links open in a new tab.
    private static func framed(_ html: String) -> String {
        html.isEmpty ? "" : "<base target=\"_blank\">" + html.prefix(maximumTextCount)
    }
}

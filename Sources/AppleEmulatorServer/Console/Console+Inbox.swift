import AppleEmulator
import AppleEmulatorPages
import AppleIdentity

/// The pages of all mail: delivered messages, replies, and refused mail with the SMTP reply.
extension Console {
    private static let maximumShownCount = 100
    private static let maximumTextCount = 500_000
    private static let maximumPersonCount = 200

    var inboxRoutes: [ConsoleRoute] {
        let path = "console/inbox"
        return [
            ConsoleRoute(path, .inbox, page: inbox),
            ConsoleRoute(path + "/clear", .inbox, page: inbox) { _ in
                await emulator.clearMail()
                return .done(.mailCleared, at: ConsoleSection.inbox.path)
            },
            ConsoleRoute(path + "/{id}", .inbox, page: mail),
            ConsoleRoute(path + "/{id}/reply", .inbox, page: mail) { visit in
                let id = visit.parameter("id")
                _ = try await emulator.replyToMail(
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
                    address.isEmpty ? "Reply" : "Reply to \(address)",
                    .area,
                    isRequired: true
                )
            ])
    }

    @Sendable private func inbox(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let person = visit.query("person")
        let list = try await emulator.mail(of: person.isEmpty ? nil : person)
        let people = await emulator.consolePeople(
            matching: "",
            from: 0,
            maximumCount: Self.maximumPersonCount
        )
        let messages = list.objects("messages")
        let (sent, bounces) = (list.objects("sent"), list.objects("bounces"))
        let isEmpty = messages.isEmpty && sent.isEmpty && bounces.isEmpty
        return ConsolePage(
            .inbox,
            template: "console-inbox",
            content: [
                "person": .string(person),
                "has_choice": .boolean(people["total"] == .integer(people.objects("people").count)),
                "people": .list(
                    people.objects("people").map { other in
                        let email = other.text("email")
                        return ["email": .string(email), "is_chosen": .boolean(email == person)]
                    }
                ),
                "messages": .list(Self.latest(messages).map(Self.row)),
                "sent": .list(Self.latest(sent).map(Self.answer)),
                "bounces": .list(Self.latest(bounces)), "smtp": .string(addresses()?.smtp ?? ""),
                "clear": isEmpty ? .null : visit.content(of: Self.clearForm),
            ]
        )
    }

    private static func latest(_ objects: [JSONObject]) -> [JSONObject] {
        objects.suffix(maximumShownCount).reversed().map { $0.readable("time") }
    }

    private static func row(_ mail: JSONObject) -> JSONObject {
        let subject = mail.text("subject")
        return mail.merging([
            "path": .string(path(ofMail: String(mail["id"]?.integerValue ?? 0))),
            "subject": .string(subject.isEmpty ? "(no subject)" : subject),
        ])
    }

    private static func answer(_ sent: JSONObject) -> JSONObject {
        let state = sent.text("state")
        var answer = sent.merging([
            "state": .string(state.replacing("_", with: " ")),
            "is_kept": .boolean(state == "kept"), "is_failed": .boolean(state == "failed"),
            "original_path": .string(path(ofMail: String(sent["in_reply_to"]?.integerValue ?? 0))),
            "text": .string(String(sent.text("text").prefix(maximumTextCount))),
        ])
        answer["raw"] = nil
        return answer
    }

    @Sendable private func mail(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let id = visit.parameter("id")
        let mail = try await emulator.mail(id: id)
        let answers = try await emulator.mail().objects("sent").filter {
            $0["in_reply_to"] == mail["id"]
        }
        let receiver = mail.text("reply_to").isEmpty ? mail.text("from") : mail.text("reply_to")
        var content = Self.row(mail.readable("time")).merging([
            "text": .string(String(mail.text("text").prefix(Self.maximumTextCount))),
            "html": .string(String(mail.text("html").prefix(Self.maximumTextCount))),
            "raw": .string(String(mail.text("raw").prefix(Self.maximumTextCount))),
            "answers": .list(Self.latest(answers).map(Self.answer)),
            "form": visit.content(of: Self.replyForm(id, to: receiver)),
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
}

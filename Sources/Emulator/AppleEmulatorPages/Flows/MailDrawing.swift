import Foundation

/// A drawing of a message through the relay, in the form of a flow.
package struct MailDrawing: Sendable {
    let relayAddress: String
    let inbox: String
    let time: Date

    package init(relayAddress: String, inbox: String, time: Date) {
        (self.relayAddress, self.inbox, self.time) = (relayAddress, inbox, time)
    }

    fileprivate var values: [String: Any] {
        let server = "Your server"
        let inbox = "Inbox"
        var sending = step(1, "server-apple right", "\(server) to Apple", "sends a message")
        sending["wire"] = FlowStepContent.pieces(of: relayAddress)
        sending["answer"] = "accepted"
        sending["answerer"] = "Apple responds"
        sending["status"] = 250
        var forwarding = step(
            2,
            "client-apple left",
            "Apple to \(inbox)",
            "forwards it"
        )
        forwarding["wire"] = FlowStepContent.pieces(of: self.inbox)
        return ["isInbox": true, "clientName": inbox, "steps": [sending, forwarding]]
    }

    private func step(
        _ place: Int,
        _ lanes: String,
        _ direction: String,
        _ title: String
    ) -> [String: Any] {
        [
            "id": "mail-\(place)", "classes": "request " + lanes, "place": place,
            "direction": direction, "title": title, "isArrow": true,
            "time": time.formatted(.iso8601), "clock": FlowStepContent.clock(time),
        ]
    }
}

extension EmulatorPageRenderer {
    /// Returns the drawing as part of a document.
    package func draw(_ mail: MailDrawing) -> String { drawExcerpt(mail.values) }
}

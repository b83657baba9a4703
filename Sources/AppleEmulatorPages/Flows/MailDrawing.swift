import Foundation
import HTMLPages

/// A drawing of a message through the relay, in the form of a flow.
package struct MailDrawing: Sendable {
    let relayAddress: String
    let inbox: String
    let time: Date

    package init(relayAddress: String, inbox: String, time: Date) {
        self.relayAddress = relayAddress
        self.inbox = inbox
        self.time = time
    }

    fileprivate func values(_ words: PageStrings) -> [String: Any] {
        let server = words["yourServer"]
        let inbox = words["section-inbox"]
        func lanes(_ from: String, _ to: String) -> String {
            words.text("lanes", ["from": from, "to": to])
        }
        var sending = step(1, "server-apple right", lanes(server, "Apple"), words["step-send-mail"])
        sending["wire"] = FlowStepContent.pieces(of: relayAddress)
        sending["answer"] = words["accepted"]
        sending["answerer"] = words.text("responds", ["party": "Apple"])
        sending["status"] = 250
        var forwarding = step(
            2,
            "client-apple left",
            lanes("Apple", inbox),
            words["step-forward-mail"]
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

extension PageRenderer {
    /// Returns the drawing as part of a document.
    package func draw(_ mail: MailDrawing, in language: PageLanguage) -> String {
        drawExcerpt(mail.values(consoleWords(of: language)), in: language)
    }
}

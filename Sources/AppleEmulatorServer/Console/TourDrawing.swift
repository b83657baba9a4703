import AppleEmulatorPages
import AppleIdentity
import Foundation

/// What happened in a step of the tour, drawn.
struct TourDrawing {
    let html: String
    /// How many steps it has, in words.
    let words: String
    /// Where all of it is.
    let path: String
    let label: String

    init(_ drawing: FlowDrawing) {
        html = drawing.html
        words = drawing.stepWords
        path = drawing.path
        label = "The whole flow"
    }

    /// Draws a mail of an inbox that came through the relay.
    init(_ mail: JSONObject, _ renderer: PageRenderer) {
        html = renderer.draw(
            MailDrawing(
                relayAddress: mail.text("relay_email"),
                inbox: mail.text("delivered_to"),
                time: (try? Date(mail.text("time"), strategy: .iso8601)) ?? .distantPast
            )
        )
        words = "the way of the mail"
        path = "\(ConsoleSection.inbox.path)/\(mail["id"]?.integerValue ?? 0)"
        label = "The mail in the inbox"
    }

    func content(isOpen: Bool) -> JSONObject {
        [
            "html": .string(html), "words": .string(words), "path": .string(path),
            "label": .string(label), "is_open": .boolean(isOpen),
        ]
    }
}

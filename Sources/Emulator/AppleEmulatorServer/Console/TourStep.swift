import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation

/// A step of the tour, as the overview shows it.
struct TourStep {
    enum Action {
        /// The developer's site, which opens in a new tab.
        case link(URL)
        case form(ConsoleForm)
    }

    typealias Missing = (text: String, path: String, label: String)

    let id: String
    let title: String
    /// A description of the step, in two sentences.
    let text: String
    /// How to sign in on the developer's site.
    var advice: String?
    /// The missing prerequisite, and the page where it can be added.
    var missing: Missing?
    /// The reason why the latest sign-in failed, and a fix.
    var failure: FlowFailure?
    var actions: [Action] = []
    var drawing: TourDrawing?

    func content(place: Int, isNext: Bool, isOpen: Bool, in visit: ConsoleVisit) -> JSONObject {
        let texts = [text, advice].compactMap(\.self)
        var content: JSONObject = [
            "id": .string(id), "place": .integer(place), "title": .string(title),
            "text": .string(texts.joined(separator: " ")), "is_done": .boolean(drawing != nil),
            "actions": .list(
                missing == nil
                    ? actions.enumerated().map { index, action in
                        Self.content(of: action, isPrimary: isNext && index == 0, in: visit)
                    } : []
            ),
        ]
        // A step that is done needs no prerequisite.
        content["missing"] =
            drawing != nil
            ? nil
            : missing.map {
                [
                    "text": .string($0.text), "path": .string($0.path),
                    "label": .string($0.label),
                ]
            }
        content["failure"] = failure.map {
            [
                "text": .string($0.text), "detail": .string($0.detail ?? ""),
                "path": .string($0.path),
            ]
        }
        content["drawing"] = drawing.map { .object($0.content(isOpen: isOpen)) }
        return content
    }

    private static func content(
        of action: Action,
        isPrimary: Bool,
        in visit: ConsoleVisit
    ) -> JSONObject {
        switch action {
        case .link(let url):
            let place = [url.host(), url.port.map(String.init)].compactMap(\.self)
            return [
                "url": .string(url.absoluteString), "is_primary": .boolean(isPrimary),
                "label": .string(
                    "Open \(place.joined(separator: ":"))"
                ),
            ]
        case .form(var form):
            form.style = isPrimary ? .primary : .plain
            return ["form": visit.content(of: form)]
        }
    }
}

/// A drawing of what happened in a step of the tour.
struct TourDrawing {
    let html: String
    /// The content in a few words, such as the number of steps.
    let summary: String
    let path: String
    let label: String

    init(_ drawing: FlowDrawing) {
        html = drawing.html
        summary = drawing.stepWords
        path = drawing.path
        label = "The whole flow"
    }

    init(_ mail: JSONObject, _ renderer: EmulatorPageRenderer) {
        html = renderer.draw(
            MailDrawing(
                relayAddress: mail.text("relay_email"),
                inbox: mail.text("delivered_to"),
                time: (try? Date(mail.text("time"), strategy: .iso8601)) ?? .distantPast
            )
        )
        summary = "the path of the message"
        path = "\(ConsoleSection.inbox.path)/\(mail["id"]?.integerValue ?? 0)"
        label = "The message in the inbox"
    }

    func content(isOpen: Bool) -> JSONObject {
        [
            "html": .string(html), "summary": .string(summary),
            "path": .string(path), "label": .string(label),
            "is_open": .boolean(isOpen),
        ]
    }
}

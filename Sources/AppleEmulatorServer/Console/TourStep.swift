import AppleEmulatorPages
import AppleIdentity
import Foundation

/// A step of the tour, as the overview shows it.
struct TourStep {
    /// What a step offers.
    enum Action {
        /// A site of the developer's, which opens beside the console.
        case link(URL)
        case form(ConsoleForm)
    }

    let id: String
    let title: String
    /// What will happen, in two sentences.
    let text: String
    /// The right thing to do before it: words, and the page for it.
    var missing: (text: String, path: String, label: String)?
    /// Why the latest try came to nothing, and what to do.
    var failure: FlowFailure?
    var actions: [Action] = []
    var drawing: TourDrawing?

    /// What the template needs to know.
    func content(place: Int, isNext: Bool, isOpen: Bool, in visit: ConsoleVisit) -> JSONObject {
        var content: JSONObject = [
            "id": .string(id), "place": .integer(place), "title": .string(title),
            "text": .string(text), "is_done": .boolean(drawing != nil),
            "actions": .list(
                missing == nil
                    ? actions.enumerated().map { index, action in
                        Self.content(of: action, isPrimary: isNext && index == 0, in: visit)
                    } : []
            ),
        ]
        // What is done needs nothing before it.
        content["missing"] =
            drawing != nil
            ? nil
            : missing.map {
                ["text": .string($0.text), "path": .string($0.path), "label": .string($0.label)]
            }
        content["failure"] = failure.map {
            ["text": .string($0.text), "path": .string($0.path)]
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
                "label": .string("Open " + place.joined(separator: ":")),
            ]
        case .form(var form):
            form.style = isPrimary ? .primary : .plain
            return ["form": visit.content(of: form)]
        }
    }
}

import AppleEmulator
import AppleIdentity

/// A part of a sign-in that is drawn on its own.
package enum FlowExcerpt: String, CaseIterable, Sendable {
    /// The steps from the start to the tokens.
    case signIn = "sign-in"
    /// The notification that the person stopped using the app, and its deliveries.
    case stopUsing = "stop-using"
    /// The exchange that was refused for its client secret, and the handover of its code.
    case brokenSecret = "broken-secret"

    /// The indices of a story's steps that belong to the part; empty if it has none.
    func places(in story: FlowStory) -> [Int] {
        let steps = story.steps
        switch self {
        case .signIn:
            guard let end = steps.firstIndex(where: \.gotTokens) else { return [] }
            return Array(0...end)
        case .stopUsing:
            guard let start = steps.lastIndex(where: \.tellsOfStopping) else { return [] }
            let number = steps[start].notificationNumber
            return (start..<steps.count).filter { steps[$0].notificationNumber == number }
        case .brokenSecret:
            guard let end = steps.lastIndex(where: \.hasRefusedSecret) else { return [] }
            return end > 0 && steps[end - 1].kind == .handover ? [end - 1, end] : [end]
        }
    }
}

/// The drawing of the latest recorded part.
package struct FlowDrawing: Sendable {
    package let html: String
    package let stepWords: String
    /// The path of the page with the whole sign-in.
    package let path: String
    /// The number of its last event.
    package let lastEventNumber: Int
}

extension EmulatorPageRenderer {
    /// Draws the latest part of each kind in these sign-ins.
    package func drawExcerpts(of flows: [FlowSnapshot]) -> [FlowExcerpt: FlowDrawing] {
        let stories = flows.map(FlowStory.init)
        var drawings: [FlowExcerpt: FlowDrawing] = [:]
        for excerpt in FlowExcerpt.allCases {
            let found = stories.map { ($0, excerpt.places(in: $0)) }.compactMap { story, places in
                places.last.map { (story, places, story.steps[$0].event.number) }
            }
            guard let (story, places, number) = found.max(by: { $0.2 < $1.2 }) else { continue }
            drawings[excerpt] = FlowDrawing(
                html: drawExcerpt(Self.values(of: excerpt, places, in: story)),
                stepWords: places.count.counted("step"),
                path: "/flows/\(story.flow.id.text)",
                lastEventNumber: number
            )
        }
        return drawings
    }

    func drawExcerpt(_ values: [String: Any]) -> String { draw("flow-excerpt", values) }

    private static func values(
        of excerpt: FlowExcerpt,
        _ places: [Int],
        in story: FlowStory
    ) -> [String: Any] {
        var values = FlowContent.lanes(of: story)
        values["steps"] = places.enumerated().map { index, place in
            let step = story.steps[place]
            var values = FlowStepContent(step, place: place + 1, of: story).values
            values["place"] = index + 1
            // A page may have several excerpts of the same sign-in.
            values["id"] = "\(excerpt.rawValue)-\(place + 1)"
            values["hasDetails"] = false
            return values
        }
        return values
    }
}

extension FlowStep {
    fileprivate var gotTokens: Bool { isExchange && !event.isRefused }

    fileprivate var hasRefusedSecret: Bool {
        let code = OAuthErrorResponse.Code.invalidClient.rawValue
        return isExchange && event.isRefused
            && event.answerFields.contains { $0.name == "error" && $0.value == code }
    }

    fileprivate var tellsOfStopping: Bool {
        if case .notification(_, .consentRevoked) = event.content { true } else { false }
    }

    fileprivate var notificationNumber: Int? {
        switch event.content {
        case .notification(let number, _), .attempt(let number, _): number
        default: nil
        }
    }

    /// Whether the step is a code exchange, and not the handover made from the same event.
    private var isExchange: Bool {
        guard kind == .request, case .request(_, ApplePath.token, _) = event.content else {
            return false
        }
        return event.parameters.contains {
            $0.name == "grant_type" && $0.value == "authorization_code"
        }
    }
}

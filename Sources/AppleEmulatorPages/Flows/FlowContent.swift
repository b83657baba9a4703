import AppleEmulator
import Foundation

/// What the template of a flow's drawing needs to know.
struct FlowContent {
    let values: [String: Any]

    init(_ story: FlowStory) {
        var values = Self.summary(of: story)
        values["title"] = "Sign-in: " + story.name
        values["styleSheet"] = PageTemplates.flowStyleSheet
        values["script"] = PageSecurity.flowScript
        values.merge(Self.lanes(of: story.flow.kind)) { _, lane in lane }
        values["steps"] = story.steps.enumerated().map { index, step in
            FlowStepContent(step, place: index + 1, of: story).values
        }
        self.values = values
    }

    /// What the list of all flows shows of them, the latest first.
    init(_ stories: [FlowStory]) {
        values = [
            "title": "Flows", "styleSheet": PageTemplates.flowStyleSheet,
            "script": PageSecurity.flowScript, "hasFlows": !stories.isEmpty,
            "flows": stories.reversed().map { story in
                let thumbnail = FlowThumbnail(story)
                var values = Self.summary(of: story)
                values["thumbnailHeight"] = thumbnail.height
                values["marks"] = thumbnail.marks.map { ["class": $0.name, "d": $0.path] }
                return values
            },
        ]
    }

    /// Who stands at the left.
    static func lanes(of kind: Flow.Kind) -> [String: Any] {
        let isNative = kind == .native
        return [
            "isNative": isNative, "isBrowser": !isNative,
            "clientName": isNative ? "App" : "Browser",
        ]
    }

    private static func summary(of story: FlowStory) -> [String: Any] {
        var values: [String: Any] = [
            "id": story.flow.id.text, "name": story.name, "state": story.state.rawValue,
            "stateMark": story.state.mark, "stateWords": story.state.words,
            "kindWords": story.flow.kind.words, "time": story.flow.startedAt.formatted(.iso8601),
            "clock": FlowStepContent.clock(story.flow.startedAt),
            "stepWords": words(story.steps.count, "step"),
        ]
        values["person"] = story.flow.email
        values["clientID"] = story.flow.clientID
        // One refusal that ended it is told by the state.
        if story.refusalCount > (story.state == .refused ? 1 : 0) {
            values["refusalWords"] = "\(story.refusalCount) refused"
        }
        return values
    }

    static func words(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}

extension Flow.Kind {
    fileprivate var words: String {
        switch self {
        case .web: "on the web"
        case .native: "in an app"
        case .unlinked: "not linked to a known sign-in"
        }
    }
}

extension FlowState {
    fileprivate var words: String {
        switch self {
        case .open: "waiting for the person"
        case .cancelled: "cancelled"
        case .authorized: "code issued"
        case .signedIn: "signed in"
        case .revoked: "ended"
        case .refused: "refused"
        }
    }

    /// The same at a glance.
    fileprivate var mark: String {
        switch self {
        case .open, .authorized: "…"
        case .cancelled, .revoked: "–"
        case .signedIn: "✓"
        case .refused: "✕"
        }
    }
}

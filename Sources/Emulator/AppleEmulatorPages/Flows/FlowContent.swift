import AppleEmulator
import Foundation

/// The values for the template of a flow's drawing.
struct FlowContent {
    let values: [String: Any]

    init(_ story: FlowStory) {
        var values = Self.summary(of: story)
        values["title"] = "Sign-in: \(story.name)"
        values["styleSheet"] = PageTemplates.flowStyleSheet
        values["script"] = PageSecurity.liveScript
        values.merge(Self.lanes(of: story)) { _, lane in lane }
        values["steps"] = story.drawnSteps.enumerated().map { index, step in
            FlowStepContent(step, place: index + 1, of: story).values
        }
        self.values = values
    }

    /// Creates the values for the list of all flows, the latest first.
    init(_ stories: [FlowStory]) {
        values = [
            "title": ConsoleSection.flows.title,
            "styleSheet": PageTemplates.flowStyleSheet,
            "script": PageSecurity.liveScript, "hasFlows": !stories.isEmpty,
            "flows": stories.reversed().map { story in
                let thumbnail = FlowThumbnail(story)
                var values = Self.summary(of: story)
                values["thumbnailHeight"] = thumbnail.height
                values["marks"] = thumbnail.marks.map { ["class": $0.name, "d": $0.path] }
                return values
            },
        ]
    }

    /// The values for the leftmost lane: an app or a browser.
    static func lanes(of story: FlowStory) -> [String: Any] {
        let isNative = story.flow.kind == .native
        return [
            "isNative": isNative, "isBrowser": !isNative,
            "clientName": story.title(of: .client),
        ]
    }

    private static func summary(of story: FlowStory) -> [String: Any] {
        var values: [String: Any] = [
            "id": story.flow.id.text, "name": story.name, "state": story.state.rawValue,
            "stateMark": story.state.mark,
            "stateWords": story.state.text,
            "kindWords": story.flow.kind.text,
            "time": story.flow.startedAt.formatted(.iso8601),
            "clock": FlowStepContent.clock(story.flow.startedAt),
            "stepWords": story.steps.count.counted("step"),
        ]
        values["person"] = story.flow.email
        values["clientID"] = story.flow.clientID
        // The state already shows one final refusal.
        if story.refusalCount > (story.state == .refused ? 1 : 0) {
            values["refusalWords"] = "\(story.refusalCount) refused"
        }
        return values
    }
}

extension FlowState {
    /// The state as a symbol.
    fileprivate var mark: String {
        switch self {
        case .open, .authorized: "…"
        case .cancelled, .revoked, .expired: "–"
        case .signedIn: "✓"
        case .refused: "✕"
        }
    }

    fileprivate var text: String {
        switch self {
        case .open: "waiting for the person"
        case .authorized: "code issued"
        case .signedIn: "signed in"
        case .cancelled, .expired, .revoked, .refused: rawValue
        }
    }
}

extension Flow.Kind {
    fileprivate var text: String {
        switch self {
        case .web: "on the web"
        case .native: "in an app"
        case .unlinked: "not linked to a known sign-in"
        }
    }
}

import AppleEmulator
import Foundation

/// What the template of a step needs to know.
struct FlowStepContent {
    /// The values it shows.
    let values: [String: Any]

    init(_ step: FlowStep, place: Int, of story: FlowStory) {
        let isNote = step.from == step.to
        var values: [String: Any] = [
            "id": "step-\(step.number)-\(step.kind.rawValue)",
            "classes": Self.classes(of: step),
            "place": place,
            "direction": Self.direction(of: step, in: story.kind),
            "title": step.title,
            "isArrow": !isNote,
            "isInferred": step.isInferred,
            "isRefused": step.isRefused,
            "answerer": step.to.title(in: story.kind) + " answers",
            "time": step.time.formatted(.iso8601),
            "clock": Self.clock(step.time),
            "summary": Self.summary(of: step, since: story.startedAt),
            "hasParameters": !step.parameters.isEmpty,
            "parameters": step.parameters.map(Self.values),
            "hasAnswerFields": !step.answerFields.isEmpty,
            "answerFields": step.answerFields.map(Self.values),
            "tokens": step.tokens.map(Self.values),
            "hasDetails": !step.parameters.isEmpty || !step.answerFields.isEmpty
                || !step.tokens.isEmpty,
            "hasRemark": step.remark.reason != nil || step.remark.hint != nil,
            "hintTitle": step.isRefused ? "Fix" : "Note",
        ]
        // An arrow is short; the scheme says little.
        values["wire"] = step.wire?.replacing("https://", with: "")
        values["answer"] = step.answer
        values["status"] = step.status
        values["reason"] = step.remark.reason
        values["hint"] = step.remark.hint
        if story.forgottenEventCount > 0, place == Flow.firstEventCount + 1 {
            let words = FlowContent.words(story.forgottenEventCount, "step")
            values["gap"] = words + " in between are no longer kept"
        }
        self.values = values
    }

    /// A time of the day by the emulated clock, which has no time zone but UTC.
    static func clock(_ time: Date) -> String {
        time.formatted(.iso8601.time(includingFractionalSeconds: false)) + " UTC"
    }

    private static func classes(of step: FlowStep) -> String {
        let lanes = [step.from, step.to].sorted { $0.rawValue < $1.rawValue }
        var classes = [
            step.kind.rawValue,
            lanes[0] == lanes[1] ? "at-\(lanes[0])" : "\(lanes[0])-\(lanes[1])",
            step.from.rawValue <= step.to.rawValue ? "right" : "left",
        ]
        if step.isRefused { classes.append("is-refused") }
        if step.isInferred { classes.append("is-inferred") }
        return classes.joined(separator: " ")
    }

    private static func direction(of step: FlowStep, in kind: Flow.Kind) -> String {
        guard step.from != step.to else { return step.from.title(in: kind) }
        return step.from.title(in: kind) + " to " + step.to.title(in: kind)
    }

    private static func summary(of step: FlowStep, since start: Date) -> String {
        let seconds = Int(step.time.timeIntervalSince(start))
        let parts = [
            seconds > 0 ? "+\(seconds) s" : nil,
            step.parameters.isEmpty
                ? nil : FlowContent.words(step.parameters.count, "parameter"),
            step.tokens.isEmpty ? nil : FlowContent.words(step.tokens.count, "token"),
        ]
        let words = parts.compactMap(\.self).joined(separator: " · ")
        return words.isEmpty ? "details" : words
    }

    private static func values(of field: FlowField) -> [String: Any] {
        ["name": field.name, "value": field.value]
    }

    private static func values(of token: FlowToken) -> [String: Any] {
        [
            "name": token.name, "header": token.header, "claims": token.claims,
            "signature": token.signatureText,
        ]
    }
}

extension FlowLane {
    fileprivate func title(in kind: Flow.Kind) -> String {
        switch self {
        case .client: kind == .native ? "App" : "Browser"
        case .server: "Your server"
        case .apple: "Apple"
        }
    }
}

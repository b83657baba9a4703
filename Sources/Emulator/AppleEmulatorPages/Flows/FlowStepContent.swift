import AppleEmulator
import Foundation

/// The values for the template of a step.
struct FlowStepContent {
    let values: [String: Any]

    init(_ step: FlowStep, place: Int, of story: FlowStory) {
        let isNote = step.from == step.to
        var values: [String: Any] = [
            "id": "step-\(step.event.number)-\(step.kind.rawValue)",
            "classes": Self.classes(of: step), "place": place,
            "direction": Self.direction(of: step, in: story), "title": step.title,
            "isArrow": !isNote, "isInferred": step.isInferred, "isRefused": step.event.isRefused,
            "answerer": "\(story.title(of: step.to)) responds",
            "time": step.event.time.formatted(.iso8601), "clock": Self.clock(step.event.time),
            "summary": Self.summary(of: step, in: story),
            "hasParameters": !step.event.parameters.isEmpty,
            "parameters": step.event.parameters.map(Self.values),
            "hasAnswerFields": !step.event.answerFields.isEmpty,
            "answerFields": step.event.answerFields.map(Self.values),
            "tokens": step.event.tokens.map(Self.values),
            "hasDetails": !step.event.parameters.isEmpty || !step.event.answerFields.isEmpty
                || !step.event.tokens.isEmpty,
            "hasRemark": step.event.remark.reason != nil || step.hint != nil,
            "hintTitle": step.event.isRefused ? "Fix" : "Note",
        ]
        let seconds = Int(step.event.time.timeIntervalSince(story.flow.startedAt))
        values["elapsed"] = seconds > 0 ? "+\(seconds) s" : nil
        values["wire"] = step.wire.map(Self.pieces)
        values["answer"] = step.answer
        values["status"] = step.event.status
        values["reason"] = step.event.remark.reason
        values["hint"] = step.hint
        if story.flow.forgottenEventCount > 0, place == Flow.firstEventCount + 1 {
            let count = story.flow.forgottenEventCount
            values["gap"] =
                "\(count.counted("step")) in between \(count == 1 ? "is" : "are") no longer stored"
        }
        self.values = values
    }

    /// The words of a request line or an address, each in pieces between which a line may break.
    static func pieces(of wire: String) -> [[String]] {
        // The space at an arrow is short, and the scheme adds little.
        wire.replacing("https://", with: "").split(separator: " ").map { word in
            word.matches(of: /http:\/\/[^\/?#]*|[\/?#@]*[^\/?#@]*/).map { String($0.output) }
                .filter { !$0.isEmpty }
        }
    }

    /// The time of day of the emulated clock, in UTC.
    static func clock(_ time: Date) -> String {
        time.formatted(.iso8601.time(includingFractionalSeconds: false)) + " UTC"
    }

    private static func classes(of step: FlowStep) -> String {
        let lanes = [step.from, step.to].sorted { $0.rawValue < $1.rawValue }
        var classes = [
            step.kind.rawValue, lanes[0] == lanes[1] ? "at-\(lanes[0])" : "\(lanes[0])-\(lanes[1])",
            step.from.rawValue <= step.to.rawValue ? "right" : "left",
        ]
        if step.event.isRefused { classes.append("is-refused") }
        if step.isInferred { classes.append("is-inferred") }
        return classes.joined(separator: " ")
    }

    private static func direction(of step: FlowStep, in story: FlowStory) -> String {
        let (from, to) = (story.title(of: step.from), story.title(of: step.to))
        return step.from == step.to ? from : "\(from) to \(to)"
    }

    private static func summary(of step: FlowStep, in story: FlowStory) -> String {
        let parts = [
            step.event.parameters.isEmpty
                ? nil : step.event.parameters.count.counted("parameter"),
            step.event.tokens.isEmpty
                ? nil : step.event.tokens.count.counted("token"),
        ]
        let words = parts.compactMap(\.self).joined(separator: " · ")
        return words.isEmpty ? "details" : words
    }

    private static func values(of field: FlowField) -> [String: Any] {
        ["name": field.name, "value": field.value]
    }

    private static func values(of token: FlowToken) -> [String: Any] {
        [
            "name": token.name, "header": IndentedJSON.text(token.header),
            "claims": IndentedJSON.text(token.claims), "signature": token.signatureText,
        ]
    }
}

extension FlowStory {
    func title(of lane: FlowStep.Lane) -> String {
        switch lane {
        case .client: flow.kind == .native ? "App" : "Browser"
        case .server: "Your server"
        case .apple: "Apple"
        }
    }
}

extension Int {
    /// The count with its noun, such as "2 steps".
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

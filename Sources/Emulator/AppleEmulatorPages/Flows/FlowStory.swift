import AppleEmulator
import AppleIdentity
import Foundation

/// A flow as a sequence of steps.
struct FlowStory {
    let flow: FlowSnapshot
    let state: FlowState
    let steps: [FlowStep]

    init(_ flow: FlowSnapshot) {
        self.flow = flow
        state = FlowState(flow)
        steps = Self.steps(of: flow)
    }

    /// The name of the flow: the app's name, the client ID, or a general one.
    var name: String { flow.appName ?? flow.clientID ?? "An unknown client" }
    var refusalCount: Int { steps.count { $0.event.isRefused } }

    /// The steps as a drawing shows them: a note that several have stands at the first one only.
    var drawnSteps: [FlowStep] {
        var notes: Set<String> = []
        return steps.map { step in
            guard !step.event.isRefused, let note = step.hint, !notes.insert(note).inserted else {
                return step
            }
            var step = step
            step.hint = nil
            return step
        }
    }

    /// The flow as JSON, without its steps.
    var summary: JSONObject {
        var object: JSONObject = [
            "id": .string(flow.id.text), "number": .integer(flow.number),
            "kind": .string(flow.kind.rawValue), "state": .string(state.rawValue),
        ]
        object["client_id"] = flow.clientID.map { .string($0) }
        object["app"] = flow.appName.map { .string($0) }
        object["person"] = flow.email.map { .string($0) }
        let lastTime = flow.events.last?.time ?? flow.startedAt
        object["started_at"] = .string(flow.startedAt.formatted(.iso8601))
        object["last_at"] = .string(lastTime.formatted(.iso8601))
        object["refusals"] = .integer(refusalCount)
        object["step_count"] = .integer(steps.count)
        let forgottenCount = flow.forgottenEventCount
        object["forgotten_steps"] = forgottenCount == 0 ? nil : .integer(forgottenCount)
        object["of_check"] = flow.isOfCheck ? true : nil
        return object
    }

    /// The flow as JSON, with its steps.
    var object: JSONObject {
        var object = summary
        object["steps"] = .array(steps.map { .object($0.object(in: flow.kind)) })
        return object
    }

    private static func steps(of flow: FlowSnapshot) -> [FlowStep] {
        var isCodeSent = flow.kind != .native
        let following = flow.events.dropFirst().map(Optional.some) + [nil]
        return zip(flow.events, following).flatMap { event, next in
            let step = FlowStep(event, before: next)
            guard !isCodeSent, step.from == .server else { return [step] }
            isCodeSent = true
            return [.sendingCode(before: event), step]
        }
    }
}

extension AppleEmulator {
    /// The latest sign-ins without their steps, in the order they started.
    package nonisolated func flows() async -> [JSONObject] {
        await flowSnapshots().map { FlowStory($0).summary }
    }

    /// A sign-in with its steps; secrets are shortened and tokens decoded.
    package nonisolated func flow(id: String) async throws(ControlRefusal) -> JSONObject {
        FlowStory(try await flowSnapshot(id: id)).object
    }
}

import AppleIdentity
import Foundation

/// A flow as it is told: everything decoded, nothing secret.
package struct FlowStory: Sendable {
    package let id: FlowID
    package let number: Int
    package let kind: Flow.Kind
    package let clientID: String?
    package let appName: String?
    package let email: String?
    package let startedAt: Date
    package let state: FlowState
    package let steps: [FlowStep]
    package let forgottenEventCount: Int

    init(_ snapshot: FlowSnapshot) {
        let flow = snapshot.flow
        id = flow.id
        number = flow.number
        kind = flow.kind
        clientID = flow.clientID.map(FlowRedaction.plain)
        appName = snapshot.appName
        email = flow.email
        startedAt = flow.startedAt
        state = FlowState(flow)
        steps = Self.steps(of: flow)
        forgottenEventCount = flow.forgottenEventCount
    }

    /// When the last thing happened.
    package var lastTime: Date { steps.last?.time ?? startedAt }
    package var refusalCount: Int { steps.count { $0.isRefused } }

    /// What it is about, without its steps.
    var summary: JSONObject {
        var object: JSONObject = [
            "id": .string(id.text),
            "number": .integer(number),
            "kind": .string(kind.rawValue),
            "state": .string(state.rawValue),
        ]
        object["client_id"] = clientID.map { .string($0) }
        object["app"] = appName.map { .string($0) }
        object["person"] = email.map { .string($0) }
        object["started_at"] = .string(startedAt.formatted(.iso8601))
        object["last_at"] = .string(lastTime.formatted(.iso8601))
        object["refusals"] = .integer(refusalCount)
        object["step_count"] = .integer(steps.count)
        object["forgotten_steps"] =
            forgottenEventCount == 0 ? nil : .integer(forgottenEventCount)
        return object
    }

    /// All of it.
    var object: JSONObject {
        var object = summary
        object["steps"] = .array(steps.map { .object($0.object(in: kind)) })
        return object
    }

    private static func steps(of flow: Flow) -> [FlowStep] {
        let events = flow.events.sorted { $0.number < $1.number }
        var isCodeBrought = flow.kind != .native
        return events.enumerated().flatMap { index, event -> [FlowStep] in
            let (number, time) = (event.number, event.time)
            switch event.content {
            case .request(let request):
                var handover: FlowHandover?
                if index + 1 < events.count, case .handover(let next) = events[index + 1].content {
                    handover = next
                }
                let step = FlowStep(request, number: number, time: time, handover: handover)
                guard !isCodeBrought, step.from == .server else { return [step] }
                isCodeBrought = true
                return [FlowStep(codeBroughtAt: time, number: number), step]
            case .handover(let handover):
                return [FlowStep(handover, number: number, time: time)]
            case .device(let request, let credential):
                return [
                    FlowStep(request: request, credential: credential, number: number, time: time)
                ]
            case .notification(let delivery, let notification, let problem):
                return [
                    FlowStep(
                        notification,
                        number: number,
                        deliveryNumber: delivery,
                        problem: problem,
                        time: time
                    )
                ]
            case .attempt(let delivery, let url, let attempt):
                return [
                    FlowStep(attempt, url: url, number: number, deliveryNumber: delivery)
                ]
            }
        }
    }
}

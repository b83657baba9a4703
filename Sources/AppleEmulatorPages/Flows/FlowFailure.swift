import AppleEmulator
import AppleIdentity

/// The reason why a sign-in failed, and a fix, for a user who expected it to succeed.
package struct FlowFailure: Sendable {
    /// The reason and the fix, in two sentences.
    package let text: String
    /// The page of the whole sign-in.
    package let path: String

    /// Examines the latest of these sign-ins; nil if it got tokens or is still in progress.
    ///
    /// A sign-in refused for its client secret is a step of the tour, not a failure.
    package init?(latestOf flows: [FlowSnapshot]) {
        let latest = flows.filter { $0.kind != .unlinked }.max {
            ($0.events.last?.number ?? 0) < ($1.events.last?.number ?? 0)
        }
        guard let latest else { return nil }
        let story = FlowStory(latest)
        path = "/flows/\(latest.id.text)"
        switch story.state {
        case .cancelled: text = Self.cancelled(story)
        case .refused where FlowExcerpt.brokenSecret.places(in: story).isEmpty:
            text = Self.refused(story)
        default: return nil
        }
    }

    private static func cancelled(_ story: FlowStory) -> String {
        let error = story.flow.events.last { $0["error"] != nil }?["error"] ?? "an error"
        return "It was cancelled on Apple’s sheet or by a prepared decision, and Apple sent"
            + " \(error) to the server. Sign in again, and press Continue."
    }

    private static func refused(_ story: FlowStory) -> String {
        guard let step = story.steps.last(where: \.event.isRefused) else { return "" }
        let reason = step.event.remark.reason.map { ": \($0)" } ?? ""
        let hint = step.hint.map { "\($0.prefix(1).uppercased() + $0.dropFirst())." }
        return "Apple refused the request that \(step.title)\(reason). "
            + (hint ?? "Fix this, and sign in again.")
    }
}

import AppleEmulator

/// The reason why a sign-in failed, and a fix, for a user who expected it to succeed.
package struct FlowFailure: Sendable {
    /// What failed.
    package let text: String
    /// The reason and the fix, as the control port reports them; nil if there are none.
    package private(set) var detail: String?
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
            guard let step = story.steps.last(where: \.event.isRefused) else { return nil }
            detail = Self.detail(of: step)
            text =
                "Apple refused this request: \(step.title)."
                + (step.hint == nil ? " Fix this, and sign in again." : "")
        default: return nil
        }
    }

    private static func cancelled(_ story: FlowStory) -> String {
        let error = story.flow.events.last { $0["error"] != nil }?["error"] ?? "–"
        return "The sign-in was cancelled on Apple’s sheet or by a prepared decision, and"
            + " Apple sent \(error) to the server. Sign in again, and press Continue."
    }

    private static func detail(of step: FlowStep) -> String? {
        let sentences = [step.event.remark.reason, step.hint].compactMap(\.self).map {
            $0.prefix(1).uppercased() + $0.dropFirst() + "."
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

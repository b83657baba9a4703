import AppleEmulator
import HTMLPages

/// The reason why a sign-in failed, and a fix, for a user who expected it to succeed.
package struct FlowFailure: Sendable {
    /// What failed, in the language of the page.
    package let text: String
    /// The reason and the fix in English, as the control port reports them; nil if there are none.
    package private(set) var detail: String?
    /// The page of the whole sign-in.
    package let path: String

    /// Examines the latest of these sign-ins; nil if it got tokens or is still in progress.
    ///
    /// A sign-in refused for its client secret is a step of the tour, not a failure.
    package init?(latestOf flows: [FlowSnapshot], _ words: PageStrings) {
        let latest = flows.filter { $0.kind != .unlinked }.max {
            ($0.events.last?.number ?? 0) < ($1.events.last?.number ?? 0)
        }
        guard let latest else { return nil }
        let story = FlowStory(latest, words)
        path = "/flows/\(latest.id.text)"
        switch story.state {
        case .cancelled: text = Self.cancelled(story)
        case .refused where FlowExcerpt.brokenSecret.places(in: story).isEmpty:
            guard let step = story.steps.last(where: \.event.isRefused) else { return nil }
            detail = Self.detail(of: step)
            text =
                words.text("signInRefused", ["step": step.title])
                + (step.hint == nil ? " " + words["fixAndRepeat"] : "")
        default: return nil
        }
    }

    private static func cancelled(_ story: FlowStory) -> String {
        let error = story.flow.events.last { $0["error"] != nil }?["error"] ?? "–"
        return story.words.text("signInCancelled", ["error": error])
    }

    private static func detail(of step: FlowStep) -> String? {
        let sentences = [step.event.remark.reason, step.hint].compactMap(\.self).map {
            $0.prefix(1).uppercased() + $0.dropFirst() + "."
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

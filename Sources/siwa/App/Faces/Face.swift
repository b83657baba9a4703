/// A user interface for pages: a full screen, or line-by-line prompts.
@MainActor protocol Face: AnyObject, Sendable {
    /// Shows a page and waits for an action.
    ///
    /// - Returns: the action and the field values; nil if the page is out of date, or the user has left.
    func ask(_ page: Page<Int>) async -> PageAnswer<Int>?

    /// Shows a page during an operation; `giveUp` cancels it.
    func showBusy(_ page: Page<Int>, giveUp: (@MainActor () -> Void)?)

    /// Ends the current question, because its page is out of date.
    func interrupt()

    /// Reports that the user has left.
    var leaving: Leaving { get }

    /// Ends the app.
    func leave()

    /// Restores the terminal.
    func close()
}

extension Face {
    var hasEnded: Bool { leaving.hasLeft }

    func waitForEnd() async { await leaving.wait() }

    /// Shows a page and waits for one of its actions.
    func ask<Action>(_ page: Page<Action>) async -> PageAnswer<Action>? {
        let (numbered, actions) = page.numbered()
        guard let answer: PageAnswer<Int> = await ask(numbered) else { return nil }
        return PageAnswer(action: actions[answer.action], values: answer.values)
    }

    func showBusy<Action>(_ page: Page<Action>) { showBusy(page.numbered().page, giveUp: nil) }
}

/// Resumes waiting tasks when the user has left.
@MainActor final class Leaving {
    private(set) var hasLeft = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func leave() {
        hasLeft = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func wait() async {
        guard !hasLeft else { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}

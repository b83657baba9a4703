import Foundation
import JuiceApp
import TerminalUI

/// Shows pages on the whole screen of the terminal.
@MainActor final class FullScreenFace: Face {
    /// The limit of keys that wait for the next question.
    private static let maximumKeptKeyCount = 256

    private let terminal: Terminal
    private var writer: FrameWriter
    let leaving = Leaving()
    private var view: PageView?
    private var isBusy = false
    private var giveUp: (@MainActor () -> Void)?
    private var question: CheckedContinuation<PageAnswer<Int>?, Never>?
    private var keptKeys: [Key] = []
    private var listening: Task<Void, Never>?

    init() throws(TerminalFailure) {
        terminal = try Terminal()
        writer = FrameWriter(colors: ColorSupport(environment: ProcessInfo.processInfo.environment))
        let events = terminal.events
        listening = Task { [weak self] in
            for await event in events { self?.handle(event) }
        }
    }

    func ask(_ page: Page<Int>) async -> PageAnswer<Int>? {
        guard !hasEnded else { return nil }
        view = PageView(page, after: view)
        isBusy = false
        giveUp = nil
        draw()
        return await withCheckedContinuation { continuation in
            question = continuation
            let keys = keptKeys
            keptKeys = []
            for key in keys { press(key) }
        }
    }

    func showBusy(_ page: Page<Int>, giveUp: (@MainActor () -> Void)?) {
        view = PageView(page, after: view)
        isBusy = true
        self.giveUp = giveUp
        draw()
    }

    func interrupt() { answer(nil) }

    func close() {
        listening?.cancel()
        terminal.close()
    }

    private func handle(_ event: TerminalEvent) {
        switch event {
        case .key(.control("c")), .stop, .ended: leave()
        case .key(.control("l")), .changed:
            writer.forget()
            draw()
        case .key(let key): press(key)
        }
    }

    func leave() {
        leaving.leave()
        answer(nil)
    }

    private func press(_ key: Key) {
        if question == nil, key == .escape, let giveUp {
            self.giveUp = nil
            return giveUp()
        }
        guard question != nil, view != nil else {
            if keptKeys.count < Self.maximumKeptKeyCount { keptKeys.append(key) }
            return
        }
        let outcome = view?.handle(key)
        if case .chose(let number) = outcome {
            answer(PageAnswer(action: number, values: view?.values ?? [:]))
        } else {
            draw()
        }
    }

    private func answer(_ answer: PageAnswer<Int>?) {
        guard let question else { return }
        self.question = nil
        if answer != nil { view?.forgetSecrets() }
        question.resume(returning: answer)
    }

    /// The last line during an operation, instead of the keys.
    private var foot: String? {
        guard isBusy else { return nil }
        return giveUp == nil ? JuiceTexts.busy : "Please wait… Esc: cancel Ctrl-C: quit"
    }

    private func draw() {
        guard let view else { return }
        let size = terminal.size
        let drawing = PageDrawing(view, foot: foot, width: size.columns, height: size.rows)
        terminal.write(writer.sequence(toShow: drawing.frame()))
    }
}

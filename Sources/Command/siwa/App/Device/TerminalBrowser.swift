import Foundation
import SignInKit

/// The system's browser; the conversation shows the URL, too, for another browser.
struct TerminalBrowser: BrowserSession {
    private static let lead =
        "Sign in on the page that opens in your browser. If no page opens, open this URL on this machine:"
    private let conversation: Conversation
    private let session = LoopbackBrowserSession { url in
        // A failure does not matter, because the user has the URL.
        try? await LoopbackBrowserSession.open(url)
    }

    init(_ conversation: Conversation) { self.conversation = conversation }

    func redirectURI() async throws(AuthorizationFailure) -> URL { try await session.redirectURI() }

    func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL {
        try await answer(to: url, callback: callback).get()
    }

    /// Waits for the browser until the user cancels or the input ends.
    @MainActor
    private func answer(to url: URL, callback: URL) async -> Result<URL, AuthorizationFailure> {
        let attempt = Task { () async -> Result<URL, AuthorizationFailure> in
            defer { conversation.interrupt() }
            do throws(AuthorizationFailure) {
                return .success(try await session.open(url, callback: callback))
            } catch {
                return .failure(error)
            }
        }
        let page = TerminalPage<Void>(
            title: "Browser",
            speaker: .device,
            items: [
                .text(Self.lead), .text(url.absoluteString), .action(label: "Cancel", ()),
            ]
        )
        if await conversation.ask(page) != nil || conversation.hasEnded { attempt.cancel() }
        return await attempt.value
    }
}

import Foundation
import SignInKit

/// The system's browser; the terminal shows the URL, too, for another browser.
struct TerminalBrowser: BrowserSession {
    private static let lead =
        "Sign in on the page that opens in your browser. If no page opens, open this URL on this machine:"
    private let face: any Face
    private let session = LoopbackBrowserSession { url in
        // A failure does not matter, because the user has the URL.
        try? await LoopbackBrowserSession.open(url)
    }

    init(_ face: any Face) { self.face = face }

    func redirectURI() async throws(AuthorizationFailure) -> URL { try await session.redirectURI() }

    func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL {
        let attempt = Task { [session] () async -> Result<URL, AuthorizationFailure> in
            do throws(AuthorizationFailure) {
                return .success(try await session.open(url, callback: callback))
            } catch {
                return .failure(error)
            }
        }
        let page = Page<Int>(
            name: "browser",
            title: "Browser",
            speaker: .device,
            items: [.text(Self.lead), .text(url.absoluteString)]
        )
        await face.showBusy(page) { attempt.cancel() }
        return try await withTaskCancellationHandler {
            await attempt.value
        } onCancel: {
            attempt.cancel()
        }
        .get()
    }
}

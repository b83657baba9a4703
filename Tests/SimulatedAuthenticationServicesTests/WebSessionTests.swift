import AppleEmulatorTesting
import AppleIdentity
import Foundation
import Testing

@testable import SimulatedAuthenticationServices

@MainActor @Suite("A web authentication session") struct WebSessionTests {
    private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// What a session ended with.
    private func ending(
        _ page: String = "https://juice.example.com/sign-in/app",
        callback: ASWebAuthenticationSession.Callback = .customScheme("juice"),
        answer: String?,
        configure: (ASWebAuthenticationSession) -> Void = { _ in }
    ) async throws -> (url: URL?, error: ASWebAuthenticationSessionError?) {
        let browser = ScriptedBrowser(answer: try answer.map(Self.url))
        SimulatedDevice.current.browser = browser
        let window = WindowProvider()
        let url = try Self.url(page)
        return await withCheckedContinuation { continuation in
            let session = ASWebAuthenticationSession(url: url, callback: callback) { url, error in
                MainActor.assertIsolated()
                let error = error as? ASWebAuthenticationSessionError
                continuation.resume(returning: (url, error))
            }
            session.presentationContextProvider = window
            configure(session)
            #expect(session.canStart && session.start())
            #expect(!session.canStart && !session.start())
        }
    }

    @Test("The callback URL that the page leads to is returned")
    func callback() async throws {
        try await withDevice { device, _ in
            let own = try await ending(answer: "juice://signed-in?code=1")
            #expect(own.url?.absoluteString == "juice://signed-in?code=1" && own.error == nil)
            let web = try await ending(
                callback: .https(host: "juice.example.com", path: "/done"),
                answer: "https://juice.example.com/done?code=1"
            )
            #expect(web.url?.query() == "code=1")
        }
    }

    @Test("Closing the page, and a page that leads elsewhere, give canceledLogin")
    func closed() async throws {
        try await withDevice { _, _ in
            for answer in [nil, "other://signed-in", "https://juice.example.com/done"] {
                let ending = try await ending(answer: answer)
                #expect(ending.url == nil && ending.error?.code == .canceledLogin)
            }
        }
    }

    @Test("Without a presentation context provider it does not start")
    func noWindow() async throws {
        try await withDevice { _, _ in
            let url = try Self.url("https://juice.example.com")
            let code: ASWebAuthenticationSessionError.Code? = await withCheckedContinuation {
                continuation in
                let session = ASWebAuthenticationSession(url: url, callbackURLScheme: "juice") {
                    continuation.resume(returning: ($1 as? ASWebAuthenticationSessionError)?.code)
                }
                #expect(!session.start())
            }
            #expect(code == .presentationContextNotProvided)
            let mail = ASWebAuthenticationSession(
                url: try Self.url("mailto:maya@example.com"),
                callbackURLScheme: nil
            ) { _, _ in }
            #expect(!mail.canStart)
        }
    }

    @Test("The page gets the ephemeral setting and X- fields, no other fields")
    func page() async throws {
        try await withDevice { device, _ in
            _ = try await ending(answer: nil) { session in
                session.prefersEphemeralWebBrowserSession = true
                session.additionalHeaderFields = ["X-Juice": "1", "Cookie": "a=b"]
            }
            let browser = try #require(device.browser as? ScriptedBrowser)
            let page = try #require(browser.pages.withLock { $0.first })
            #expect(page.isEphemeral && page.headerFields == ["X-Juice": "1"])
        }
    }

    @Test("Errors have Apple's numbers and are caught by their codes") func errors() {
        let codes: [ASWebAuthenticationSessionError.Code] = [
            .canceledLogin, .presentationContextNotProvided, .presentationContextInvalid,
        ]
        #expect(codes.map(\.rawValue) == [1, 2, 3])
        do {
            throw ASWebAuthenticationSessionError(.canceledLogin)
        } catch ASWebAuthenticationSessionError.canceledLogin {
        } catch {
            Issue.record("not caught by its code")
        }
    }
}

private final class ScriptedBrowser: SimulatedBrowser {
    let pages = LockedValue<[WebAuthenticationPage]>([])
    private let answer: URL?

    init(answer: URL?) { self.answer = answer }

    func open(_ page: WebAuthenticationPage) async -> URL? {
        pages.withLock { $0.append(page) }
        return answer
    }
}

private final class WindowProvider: NSObject, ASWebAuthenticationPresentationContextProviding {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        ASPresentationAnchor()
    }
}

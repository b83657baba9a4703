import AccountsServer
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

/// An app that signs in through the browser; tests change one part of its request.
struct AppClient {
    static let issuer = TestServer.publicURL

    var clientID: String? = "com.example.juice"
    var redirectURI: String? = "http://127.0.0.1:51004/signed-in"
    var state: String? = "a state & more"
    var method: String? = "S256"
    var challenge: String?
    var others: [(String, String)] = []
    let verifier = String(UUID().uuidString + UUID().uuidString).replacing("-", with: "~")

    init() {
        challenge = Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The path that the app opens in the browser.
    var path: String {
        let fields = [
            ("client_id", clientID), ("redirect_uri", redirectURI), ("state", state),
            ("code_challenge_method", method), ("code_challenge", challenge),
        ]
        .compactMap { name, value in value.map { (name, $0) } }
        return "/sign-in/app?" + TestBrowser.form(fields + others)
    }

    /// The parameters with which a redirect, or a page that opens the next one, leads to the app.
    func answer(_ response: TestResponse) throws -> [String: String] {
        let name = try #require(HTTPField.Name("Refresh"))
        let refresh = response.headers[name].map { String($0.trimmingPrefix("0; url=")) }
        #expect(response.status == (refresh == nil ? .seeOther : .ok))
        let location = try #require(response.headers[.location] ?? refresh)
        let redirectURI = try #require(redirectURI)
        try #require(location.hasPrefix("\(redirectURI)?"), "\(location)")
        let items = URLComponents(string: location)?.queryItems ?? []
        #expect(Set(items.map(\.name)).count == items.count)
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
    }

    /// Exchanges the code for a session.
    func redeem(
        _ code: String,
        verifier: String? = nil,
        at server: TestServer
    ) async throws -> TestResponse {
        try await server.postJSON(
            "/api/sessions/code",
            [
                "code": .string(code), "codeVerifier": .string(verifier ?? self.verifier),
                "redirectUri": .string(redirectURI ?? ""), "clientId": .string(clientID ?? ""),
            ]
        )
    }
}

/// Runs a server without email at which apps have these redirect URIs.
func withAppServer(
    _ redirects: String,
    _ body: @escaping @Sendable (TestServer) async throws -> Void
) async throws {
    try await withPasswordServer(
        hasMail: false,
        { $0.appRedirects = try AppRedirects([redirects], bundleIDs: []) },
        body
    )
}

extension TestBrowser {
    /// Opens the app's URL, and returns the path of the confirmation page.
    func begin(_ app: AppClient) async throws -> String {
        let begun = try await get(app.path)
        #expect(begun.status == .seeOther)
        return try #require(begun.headers[.location], "\(begun.text)")
    }

    /// Presses a button of the confirmation page.
    func press(_ action: String, on path: String) async throws -> TestResponse {
        let page = try await get(path)
        let names = ["request", "session"]
        let fields = names.compactMap { name in page.hidden(name).map { (name, $0) } }
        return try await post("/sign-in/app/confirm", fields + [("action", action)])
    }
}

extension TestResponse {
    /// The value of a hidden field.
    func hidden(_ name: String) -> String? {
        guard let start = text.range(of: "name=\"\(name)\" value=\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }

    var contentSecurityPolicy: String { headers[.contentSecurityPolicy] ?? "" }
}

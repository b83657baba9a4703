import AppleEmulatorTesting
import AppleIdentity
import HTTPTypes
import HummingbirdTesting
import Testing

extension TestServer {
    /// Sends an app's request after the system's sheet.
    func signInNatively(
        _ credential: TestCredential,
        nonce: String? = nil,
        name: PersonName? = nil
    ) async throws -> TestResponse {
        var request = credential.request
        request["nonce"] = nonce.map { .string($0) }
        if let name {
            var parts = JSONObject()
            parts["givenName"] = name.givenName.map { .string($0) }
            parts["familyName"] = name.familyName.map { .string($0) }
            request["fullName"] = .object(parts)
        }
        return try await postJSON("/api/sessions/apple", request)
    }

    /// Does the same with only an identity token.
    func signIn(identityToken: String) async throws -> TestResponse {
        try await postJSON("/api/sessions/apple", ["identityToken": .string(identityToken)])
    }

    /// Returns a page for the browser of a session.
    func page(_ path: String, _ token: String) async throws -> TestResponse {
        try await send(.get, path, [.cookie: "__Host-siwa-session=\(token)"])
    }

    func postJSON(
        _ path: String,
        _ object: JSONObject,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await send(.post, path, .json + headers, body: JSONValue.object(object).text)
    }

    /// Posts a JSON object with a session's token.
    func postJSON(
        _ path: String,
        _ object: JSONObject,
        _ token: String?
    ) async throws -> TestResponse {
        try await postJSON(path, object, token.map { .bearer($0) } ?? [:])
    }

    /// Signs a user in and returns the session's token.
    func token(of email: String = "maya@example.com") async throws -> String {
        let answer = try await signInNatively(try await apple.credentials(for: email))
        return try #require(answer.json?["token"]?.stringValue, "\(answer.text)")
    }
}

extension TestCredential {
    /// The body of an app's request.
    var request: JSONObject {
        ["identityToken": .string(identityToken), "authorizationCode": .string(authorizationCode)]
    }
}

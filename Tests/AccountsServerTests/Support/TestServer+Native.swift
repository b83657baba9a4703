import AppleEmulatorTesting
import AppleIdentity
import HTTPTypes
import HummingbirdTesting
import Testing

extension TestServer {
    /// Sends what an app would after the system's sheet.
    func signInNatively(
        _ credential: TestCredential,
        nonce: String? = nil,
        name: PersonName? = nil
    ) async throws -> TestResponse {
        var request: JSONObject = [
            "identityToken": .string(credential.identityToken),
            "authorizationCode": .string(credential.authorizationCode),
        ]
        request["nonce"] = nonce.map { .string($0) }
        if let name {
            var parts = JSONObject()
            parts["givenName"] = name.givenName.map { .string($0) }
            parts["familyName"] = name.familyName.map { .string($0) }
            request["fullName"] = .object(parts)
        }
        return try await postJSON("/api/sessions/apple", request)
    }

    func postJSON(_ path: String, _ object: JSONObject) async throws -> TestResponse {
        try await send(.post, path, headers: .json, body: JSONValue.object(object).text)
    }

    /// Signs a person in and gives their session's token.
    func token(of email: String = "maya@example.com") async throws -> String {
        let answer = try await signInNatively(try await apple.credentials(for: email))
        return try #require(answer.json?["token"]?.stringValue, "\(answer.text)")
    }
}

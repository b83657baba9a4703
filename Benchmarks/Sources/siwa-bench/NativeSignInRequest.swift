import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// One app's request to sign in natively.
struct NativeSignInRequest: Sendable {
    private struct Receipt: Decodable {
        let token: String
    }

    let server: URL
    let identityToken: String

    /// What the app sends the first time.
    static func body(identityToken: String) -> Data {
        let text = """
            {"identityToken":"\(identityToken)","fullName":{"givenName":"Maya","familyName":"Ng"}}
            """
        return Data(text.utf8)
    }

    /// Signs in.
    ///
    /// - Returns: the session's token.
    func send() async throws -> String {
        var request = HTTPClientRequest(url: server.absoluteString + "/api/sessions/apple")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: Self.body(identityToken: identityToken)))
        let answer = try await Load.send(request, expecting: 201)
        return try JSONDecoder().decode(Receipt.self, from: answer).token
    }
}

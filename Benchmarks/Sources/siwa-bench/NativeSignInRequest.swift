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

    /// Signs in.
    ///
    /// - Returns: the session's token.
    func send() async throws -> String {
        var request = HTTPClientRequest(url: server.absoluteString + "/api/sessions/apple")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        let body = """
            {"identityToken":"\(identityToken)","fullName":{"givenName":"Maya","familyName":"Ng"}}
            """
        request.body = .bytes(ByteBuffer(string: body))
        let answer = try await Load.send(request, expecting: 201)
        return try JSONDecoder().decode(Receipt.self, from: answer).token
    }
}

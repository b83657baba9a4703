import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Sign-ins that are refused after their token is verified, before the database is read.
///
/// They take the minimum time of a sign-in without its rows: HTTP, its document and Apple's signature.
struct RefusedSignIns {
    private static let seconds = 1

    private let script: URL
    private let url: URL

    /// Prepares a request whose token is bound to a nonce that is not sent.
    ///
    /// - Parameters:
    ///   - apple: signs the token.
    ///   - url: where apps sign in.
    /// - Throws: ``BenchError`` when it is not refused, what the cryptographic library or the file system throws.
    init(_ apple: ServedApple, _ url: URL) async throws {
        let token = try apple.apple.token(person: 8_000_000, nonce: "of another request")
        let data = NativeSignInRequest.body(identityToken: token)
        try await Self.check(data, url)
        let body = String(decoding: data, as: UTF8.self)
        let text = """
            wrk.method = "POST"
            wrk.headers["Content-Type"] = "\(SignInServers.type)"
            wrk.body = [==[\(body)]==]
            """
        script = try BenchFolder.make().appending(path: "refused.lua")
        try text.write(to: script, atomically: true, encoding: .utf8)
        self.url = url
    }

    private static func check(_ body: Data, _ url: URL) async throws {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: SignInServers.type)
        request.body = .bytes(ByteBuffer(bytes: body))
        let answer = try await Load.send(request, expecting: 401)
        let text = String(decoding: answer, as: UTF8.self)
        guard text.contains("token_nonce_mismatch") else {
            throw BenchError("refused for another reason: \(text)")
        }
    }

    /// Sends the request repeatedly.
    ///
    /// - Returns: how many were refused a second.
    /// - Throws: ``BenchError`` without wrk.
    func measure() async throws -> Double {
        try await Load.refused(script, url, Load.connectionCount, seconds: Self.seconds)
    }
}

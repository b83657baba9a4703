import Foundation

/// Sign-ins that are refused once their token is verified, before the database is asked.
///
/// What they take is the least that a sign-in takes besides its rows: HTTP, its document and Apple's signature.
struct RefusedSignIns {
    private static let seconds = 1

    private let script: URL
    private let url: URL

    /// Prepares a request whose token is bound to a nonce that nobody sends.
    ///
    /// - Parameters:
    ///   - apple: signs the token.
    ///   - url: where apps sign in.
    /// - Throws: what the cryptographic library or the file system throws.
    init(_ apple: ServedApple, _ url: URL) throws {
        let token = try apple.apple.token(person: 8_000_000, nonce: "of another request")
        let body = String(decoding: NativeSignInRequest.body(identityToken: token), as: UTF8.self)
        let text = """
            wrk.method = "POST"
            wrk.headers["Content-Type"] = "\(SignInServers.type)"
            wrk.body = [==[\(body)]==]
            """
        script = try BenchFolder.make().appending(path: "refused.lua")
        try text.write(to: script, atomically: true, encoding: .utf8)
        self.url = url
    }

    /// Sends it again and again.
    ///
    /// - Returns: how many were refused a second.
    /// - Throws: ``BenchError`` without wrk.
    func measure() async throws -> Double {
        try await Load.refused(script, url, Load.connectionCount, seconds: Self.seconds)
    }
}

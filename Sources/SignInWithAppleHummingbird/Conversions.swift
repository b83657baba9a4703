import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import SignInWithApple

extension Request {
    /// The token of a `SignInSession` that an app sends as a Bearer token.
    ///
    /// It is only what the client says; look it up among the sessions you opened. `WebFlow.sessionToken(of:)` also reads a
    /// browser's cookie.
    public var bearerSessionToken: String? { head.bearerSessionToken }

    /// The request for the library, whose body is read up to a limit, and within a time.
    package func signInRequest(_ time: TimeSource) -> SignInRequest {
        SignInRequest(head: head) { [body] maximumByteCount in
            do {
                // A silent connection is closed by its idle time; this is for one that sends a byte now and then.
                let buffer = try await time.within(
                    .seconds(RouteLimits.maximumBodySeconds),
                    late: RefusedSignIn.requestTooSlow
                ) { try await body.collect(upTo: maximumByteCount) }
                return Data(buffer.readableBytesView)
            } catch is NIOTooManyBytesError {
                throw RefusedSignIn.contentTooLarge(maximumByteCount)
            } catch is HTTPParserError {
                throw RefusedSignIn.contentMalformed
            }
        }
    }
}

extension WebFlow {
    /// The token of a `SignInSession` that came along: an app's Bearer token, or a browser's cookie.
    ///
    /// - Parameter request: the request.
    /// - Returns: the token; nil when there is none.
    public func sessionToken(of request: Request) -> String? { sessionToken(of: request.head) }

    /// The `Set-Cookie` field that signs a browser out.
    ///
    /// - Parameter request: the request that asks for it.
    /// - Returns: the field for the answer.
    public func clearedSessionCookie(for request: Request) -> HTTPField {
        clearedSessionCookie(for: request.head)
    }
}

extension Response {
    init(_ response: SignInResponse) {
        self.init(
            status: response.status,
            headers: response.headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body))
        )
    }
}

extension SignInResponse {
    /// Takes over a response of Hummingbird's, such as for `SignInAnswer.response`.
    ///
    /// - Parameter response: the response, whose body is collected.
    /// - Throws: what writing the body throws.
    public init(_ response: Response) async throws {
        let collector = BodyCollector()
        try await response.body.write(collector)
        self.init(
            status: response.status,
            headers: response.headers,
            body: collector.data.withLock(\.self)
        )
    }
}

private struct BodyCollector: ResponseBodyWriter {
    let data = LockedValue(Data())

    func write(_ buffer: ByteBuffer) async throws {
        data.withLock { $0.append(contentsOf: buffer.readableBytesView) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import SignInWithApple

extension Request {
    /// The session token in the `Authorization: Bearer` field (RFC 6750); nil if there is none.
    ///
    /// It is also nil if its length is not that of a token: 32 to 256 bytes. The token is not verified: look it up in
    /// your session store. `WebFlow.sessionToken(of:)` also reads the cookie.
    public var bearerSessionToken: String? { head.bearerSessionToken }

    /// Creates the library's form of the request, for routes that you call yourself.
    ///
    /// - Returns: the request, whose body is read up to the limit of its route, for at most half a minute.
    public func signInRequest() -> SignInRequest { signInRequest(.live) }

    /// The library's form of the request, whose body is read up to a size limit and a time limit.
    package func signInRequest(_ time: TimeSource) -> SignInRequest {
        SignInRequest(head: head) { [body] maximumByteCount in
            do {
                // The idle timeout closes a silent connection; this is for one that sends a byte now and then.
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
    /// Returns the session token of a request: the Bearer token (RFC 6750) or the session cookie.
    ///
    /// The token is not verified. Look it up in your session store.
    ///
    /// - Parameter request: any request, of an app or a browser.
    /// - Returns: the token; nil if there is none or its length is not that of a token (32 to 256 bytes).
    public func sessionToken(of request: Request) -> String? { sessionToken(of: request.head) }

    /// Creates the `Set-Cookie` field that signs a browser out.
    ///
    /// It deletes the cookie `sessionCookieName` if that is set, which must then have the path `/` and no domain.
    ///
    /// - Parameter request: the request to sign out; its host selects the cookie.
    /// - Returns: the field for the response.
    public func clearedSessionCookie(for request: Request) -> HTTPField {
        clearedSessionCookie(for: request.head)
    }
}

extension Response {
    /// Creates Hummingbird's form of a response.
    ///
    /// - Parameter response: a response of the routes, or of `RefusedSignIn.response(to:)`.
    public init(_ response: SignInResponse) {
        self.init(
            status: response.status,
            headers: response.headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body))
        )
    }
}

extension SignInResponse {
    /// Creates a response from Hummingbird's, such as for `SignInAnswer.response`.
    ///
    /// - Parameter response: the response; its whole body is collected.
    /// - Throws: an error of the response's body.
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

extension SignInError: HTTPResponseError {
    /// The status of the response, in a route of your own that throws this error.
    public var status: HTTPResponse.Status { httpStatus }

    /// Creates the response: the message, with `Retry-After` if a retry may succeed; the hint is logged.
    ///
    /// - Parameters:
    ///   - request: the request of the route.
    ///   - context: its context.
    /// - Returns: the response, in the form of `HTTPError`.
    /// - Throws: an error of the context's encoder.
    public func response(
        from request: Request,
        context: some RequestContext
    ) throws -> Response {
        let refusal = RefusedSignIn(any: self)
        refusal?.log("request refused", to: context.logger, route: request.uri.path)
        let headers = refusal?.headers ?? [:]
        return try HTTPError(httpStatus, headers: headers, message: message)
            .response(from: request, context: context)
    }
}

#if Vapor
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOHTTP1
    import SignInWithApple
    import Vapor

    extension SignInRequest {
        /// Creates the library's form of a request, for routes that you call yourself.
        ///
        /// - Parameter request: the request; the route must collect its body.
        public init(_ request: Request) {
            let fields = request.headers.compactMap { name, value in
                HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
            }
            self.init(
                method: request.method.rawValue,
                target: request.url.string,
                headers: HTTPFields(fields),
                body: request.body.data.map { Data($0.readableBytesView) } ?? Data()
            )
        }
    }

    extension Response {
        /// Creates Vapor's form of a response.
        ///
        /// - Parameter response: a response of the routes, or of `RefusedSignIn.response(to:)`.
        public convenience init(_ response: SignInResponse) {
            var headers = HTTPHeaders()
            for field in response.headers {
                headers.add(name: field.name.rawName, value: field.value)
            }
            self.init(
                status: HTTPResponseStatus(statusCode: response.status.code),
                headers: headers,
                body: Body(data: response.body)
            )
        }
    }

    extension SignInResponse {
        /// Creates a response from Vapor's, such as for `SignInAnswer.response`.
        ///
        /// - Parameters:
        ///   - response: the response; its whole body is collected.
        ///   - request: the request that it answers.
        /// - Throws: an error of the response's body.
        public init(_ response: Response, for request: Request) async throws {
            let body = try await response.body.collect(on: request.eventLoop).get()
            self.init(
                status: .init(code: Int(response.status.code)),
                headers: HTTPFields(response.headers),
                body: body.map { Data($0.readableBytesView) } ?? Data()
            )
        }

        /// The response to an error such as `Abort(.forbidden)`; nil for an error without a status.
        init?(_ error: any Error) {
            guard let error = error as? any AbortError else { return nil }
            var headers = HTTPFields(error.headers)
            headers[.contentType] = "text/plain; charset=utf-8"
            self.init(
                status: .init(code: Int(error.status.code)),
                headers: headers,
                body: Data(error.reason.utf8)
            )
        }
    }

    extension HTTPFields {
        fileprivate init(_ headers: HTTPHeaders) {
            self.init(
                headers.compactMap { name, value in
                    HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
                }
            )
        }
    }

    extension HTTPHeaders {
        init(_ fields: HTTPFields) { self.init(fields.map { ($0.name.rawName, $0.value) }) }
    }

    extension SignInError: AbortError {
        /// The status of the response, in a route of your own that throws this error.
        public var status: HTTPResponseStatus { HTTPResponseStatus(statusCode: httpStatus.code) }
        /// The message, which is safe to show to the user; never the hint.
        public var reason: String { message }
        /// `Retry-After` if a retry may succeed.
        public var headers: HTTPHeaders { HTTPHeaders(RefusedSignIn(any: self)?.headers ?? [:]) }
    }

    extension Abort {
        /// Creates the error of a refused sign-in, for a route of your own.
        ///
        /// - Parameter refusal: the refusal, of which the hint is left out.
        public init(_ refusal: RefusedSignIn) {
            self.init(
                HTTPResponseStatus(statusCode: refusal.status.code),
                headers: HTTPHeaders(refusal.headers),
                reason: refusal.message
            )
        }
    }
#endif

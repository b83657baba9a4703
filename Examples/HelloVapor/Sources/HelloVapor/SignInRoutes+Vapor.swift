import SignInWithApple
import Vapor

extension RoutesBuilder {
    /// Adds the library's routes to Vapor's router.
    func register(_ routes: [SignInRoute<Request>]) {
        for route in routes {
            on(
                HTTPMethod(rawValue: route.method.rawValue),
                route.path.pathComponents,
                body: .collect(maxSize: ByteCount(value: route.maximumBodyByteCount))
            ) { request in
                let response = try await route.respond(
                    to: SignInRequest(request),
                    context: request,
                    logger: request.logger
                )
                return Response(response)
            }
        }
    }
}

extension SignInRequest {
    init(_ request: Request) {
        self.init(
            method: request.method.rawValue,
            target: request.url.string,
            headers: HTTPFields(
                request.headers.compactMap { name, value in
                    HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
                }
            ),
            body: request.body.data.map { Data(buffer: $0) } ?? Data()
        )
    }
}

extension SignInResponse {
    /// The answer to an error such as `Abort(.forbidden)`; nil for an error that has no status.
    init?(_ error: any Error) {
        guard let error = error as? any AbortError else { return nil }
        self.init(
            status: .init(code: Int(error.status.code)),
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: Data(error.reason.utf8)
        )
    }
}

extension Response {
    convenience init(_ response: SignInResponse) {
        var headers = HTTPHeaders()
        for field in response.headers { headers.add(name: field.name.rawName, value: field.value) }
        self.init(
            status: HTTPResponseStatus(statusCode: response.status.code),
            headers: headers,
            body: Body(data: response.body)
        )
    }
}

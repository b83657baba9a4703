import Accounts
import AppleIdentity
import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import SignInWithApple

/// Handles every request: adds its ID and its client to log lines, converts errors to a page or a problem
/// document, adds header fields for browsers, counts the request, and logs one line.
///
/// Each route has its own copy with the route's instruments. It is one middleware, because each
/// costs every session check a few hundred nanoseconds.
struct ServerMiddleware: RouterMiddleware {
    let proxies: TrustedProxies
    let headers: SecurityHeaders
    let writer: RefusalWriter
    let routes: RouteTable
    let limiter: RefusalLimiter
    let untrusted = PeerLog()
    let limited: CountedRefusals
    let crossOrigin: CrossOriginRequests
    let time: TimeSource
    let dates: DateField
    var measures: RequestMeasures

    /// The field with the ID of a request that failed, which its log lines have too.
    private static let requestID = HTTPField.Name("X-Request-ID")

    /// Returns a copy with the instruments of another route.
    func measuring(_ measures: RequestMeasures) -> ServerMiddleware {
        var copy = self
        copy.measures = measures
        return copy
    }

    @concurrent
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let start = time.now
        var context = context
        context.client = RequestClient(context.client.peer, request.headers, proxies)
        let current = CurrentRequest(context.client, context.channel, context.logger)
        // A GET request verifies no signature and no password, so it is cheap.
        let isReading = request.method == .get || request.method == .head
        let isPreflight = crossOrigin.isPreflight(request)
        let network = isReading || isPreflight ? nil : context.client.network
        return try await CurrentRequest.$current.withValue(current) { [context] in
            if let proxy = context.client.untrustedProxy, untrusted.isDue(proxy, now: start) {
                context.logger.warning("X-Forwarded-For ignored", metadata: Self.untrustedHint)
            }
            if let network, let seconds = limiter.begin(network) {
                return try tooManyRefusalsResponse(request, context, waiting: seconds, start)
            }
            var isRefused = false
            defer { if let network { limiter.end(network, isRefused: isRefused) } }
            var response: Response
            do {
                guard RouteTable.isExact(request.uri.path) else { throw ServerError.notFound }
                response =
                    isPreflight
                    ? CrossOriginRequests.preflightResponse : try await next(request, context)
            } catch {
                response = try refused(error, request, context)
            }
            isRefused = Self.isBad(response.status)
            complete(&response, of: request, since: start, context.logger)
            return response
        }
    }

    private static let untrustedHint: Logger.Metadata = [
        "hint":
            "if the peer is your proxy, list it in \(TrustedProxies.settingName): its clients count as one"
    ]

    /// Responds to a GET of a JSON route on the connection's event loop, without a task; nil when
    /// there is no document.
    func answerWithoutTask(
        _ request: Request,
        on channel: any Channel,
        _ logger: Logger,
        _ write: (Request) -> ByteBuffer?
    ) -> (response: Response, document: ByteBuffer)? {
        let start = time.now
        guard let document = write(request) else { return nil }
        var response = Response.json(document)
        // A request ID costs more than all the rest, so it is created only when it is logged.
        guard logger.logLevel <= .info else {
            complete(&response, of: request, since: start, logger)
            return (response, document)
        }
        var logger = logger
        logger[metadataKey: CurrentRequest.idKey] = .stringConvertible(RequestID())
        let client = RequestClient(channel.remoteAddress, request.headers, proxies)
        CurrentRequest.$current.withValue(CurrentRequest(client, channel, logger)) {
            complete(&response, of: request, since: start, logger)
        }
        return (response, document)
    }

    /// Completes every response, with or without a task.
    private func complete(
        _ response: inout Response,
        of request: Request,
        since start: Date,
        _ logger: Logger
    ) {
        record(&response, of: request, since: start, logger)
        crossOrigin.logRefusal(of: request, now: start, logger)
        if logger.logLevel <= .info { log(request, response, logger) }
    }

    private func record(
        _ response: inout Response,
        of request: Request,
        since start: Date,
        _ logger: Logger
    ) {
        // Only errors are looked up in the log.
        if response.status.code >= 400, let field = Self.requestID,
            let id = logger[metadataKey: CurrentRequest.idKey]
        {
            response.headers[field] = "\(id)"
        }
        headers.add(to: &response, for: request)
        crossOrigin.add(to: &response, for: request)
        // Hummingbird adds the date only to responses of a task.
        response.headers[.date] = dates.text
        let seconds = time.now.timeIntervalSince(start)
        measures.count(request.method, response.status, seconds: seconds)
    }

    /// Refuses the request of a client that was refused too often, without reading it.
    private func tooManyRefusalsResponse(
        _ request: Request,
        _ context: ServerContext,
        waiting seconds: Int,
        _ start: Date
    ) throws -> Response {
        let refusal = ServerError(AccountsError.tooManyRefusals(seconds: seconds))
        if let suppressedCount = limited.count(now: start) {
            log(refusal, context.logger, ["suppressed": "\(suppressedCount)"])
        }
        var response = try writer.response(refusal, to: request)
        record(&response, of: request, since: start, context.logger)
        return response
    }

    /// Whether the client's request was bad; excludes errors that honest users may get.
    private static func isBad(_ status: HTTPResponse.Status) -> Bool {
        [.badRequest, .unauthorized, .contentTooLarge, .unprocessableContent].contains(status)
    }

    /// Logs the route's template and no header field, because the rest could contain a secret.
    private func log(_ request: Request, _ response: Response, _ logger: Logger) {
        let method = request.method.rawValue
        logger.info(
            "request",
            metadata: [
                "method": "\(RequestMeasures.knownMethods.contains(method) ? method : "other")",
                "route": "\(measures.route)",
                "status": "\(response.status.code)",
            ]
        )
    }

    private func refused(
        _ error: any Error,
        _ request: Request,
        _ context: ServerContext
    ) throws -> Response {
        let refusal = refusal(ServerError(any: error), request)
        log(refusal, context.logger)
        return try writer.response(refusal, to: request)
    }

    private func log(_ refusal: ServerError, _ logger: Logger, _ details: Logger.Metadata = [:]) {
        var metadata = details
        metadata["code"] = "\(refusal.code)"
        metadata["hint"] = "\(refusal.hint)"
        metadata["route"] = "\(measures.route)"
        logger.log(
            level: SignInError.logLevel(ofStatus: refusal.status.code, code: refusal.code),
            "refused",
            metadata: metadata
        )
    }

    private func refusal(_ error: ServerError, _ request: Request) -> ServerError {
        guard error.code == ServerError.notFound.code else { return error }
        let methods = routes.methods(for: request.uri.path)
        guard !methods.isEmpty, !methods.contains(request.method.rawValue) else { return error }
        return .methodNotAllowed(methods)
    }
}

/// Writes an error as a page or a problem document, as the client accepts.
struct RefusalWriter: Sendable {
    let pages: PageRenderer

    func response(_ error: ServerError, to request: Request) throws -> Response {
        let path = request.uri.path
        let wantsPage =
            WebPath.isPage(path)
            || !WebPath.isAPI(path) && request.headers[.accept]?.contains("text/html") == true
        return wantsPage
            ? try pages.response(RefusalPage(error: error), to: request) : error.problem
    }
}

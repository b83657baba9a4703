import Accounts
import AppleIdentity
import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import Instrumentation
import Logging
import NIOCore
import SignInWithApple
import Tracing

/// What is done for every request: a trace for its log lines, a page or a problem document for whatever was
/// thrown, the fields that browsers need, a count, and one line in the log.
///
/// Each route has its own, which knows what is measured of the route. One middleware and not four, because each costs every session check a few hundred nanoseconds.
final class ServerMiddleware: RouterMiddleware {
    let proxies: TrustedProxies
    let headers: SecurityHeaders
    let writer: RefusalWriter
    let routes: RouteTable
    let limiter: RefusalLimiter
    let limited: LimitedRequests
    let time: TimeSource
    let measures: RequestMeasures
    let tracer: RequestTracer?

    init(
        proxies: TrustedProxies,
        headers: SecurityHeaders,
        writer: RefusalWriter,
        routes: RouteTable,
        limiter: RefusalLimiter,
        limited: LimitedRequests,
        time: TimeSource,
        measures: RequestMeasures,
        tracer: RequestTracer?
    ) {
        self.proxies = proxies
        self.headers = headers
        self.writer = writer
        self.routes = routes
        self.limiter = limiter
        self.limited = limited
        self.time = time
        self.measures = measures
        self.tracer = tracer
    }

    /// The same for another route.
    func measuring(_ measures: RequestMeasures) -> ServerMiddleware {
        ServerMiddleware(
            proxies: proxies,
            headers: headers,
            writer: writer,
            routes: routes,
            limiter: limiter,
            limited: limited,
            time: time,
            measures: measures,
            tracer: tracer
        )
    }

    @concurrent
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let tracer else { return try await answer(request, context, next) }
        let span = tracer.start(request, context)
        defer { span.end() }
        let response = try await InstrumentationContext.$current.withValue(span.context) {
            try await answer(request, context, next)
        }
        tracer.describe(response, on: span)
        return response
    }

    @concurrent
    private func answer(
        _ request: Request,
        _ context: ServerContext,
        _ next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let start = time.now
        let trace = RequestTrace(request, context.channel, context.logger, proxies)
        // What is asked for by GET costs no signature and no password.
        let isReading = request.method == .get || request.method == .head
        let network = isReading ? nil : trace.limitedNetwork
        return try await RequestTrace.$current.withValue(trace) {
            if let network, let seconds = limiter.wait(network) {
                return try unseen(request, context, waiting: seconds, start)
            }
            var response: Response
            do {
                guard RouteTable.isExact(request.uri.path) else { throw ServerError.notFound }
                response = try await next(request, context)
            } catch {
                response = try refused(error, request, context)
            }
            if let network, Self.isBad(response.status) { limiter.count(network) }
            complete(&response, of: request, since: start, context.logger)
            return response
        }
    }

    /// Begins the same for an answer by GET of a route for programs, in no task; a span would have to be kept by one.
    ///
    /// - Returns: the time, for ``answerWithoutTask(_:since:on:logger:mayLog:_:)``; nil when the request needs a task.
    func beginWithoutTask() -> Date? {
        tracer == nil ? time.now : nil
    }

    /// Does for such an answer what is done for every one.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - start: when it came.
    ///   - channel: its connection.
    ///   - logger: told of the request.
    ///   - mayLog: whether something besides the request's own line may be logged.
    ///   - write: writes the document, or throws why there is none.
    /// - Returns: the answer, and its document.
    func answerWithoutTask(
        _ request: Request,
        since start: Date,
        on channel: any Channel,
        logger: Logger,
        mayLog: Bool,
        _ write: () throws -> ByteBuffer
    ) -> (response: Response, document: ByteBuffer) {
        // To put together what no line needs would cost more than the rest of this.
        guard mayLog || logger.logLevel <= .info else {
            return answer(request, since: start, logger, write)
        }
        var logger = logger
        logger[metadataKey: RequestTrace.numberKey] = .stringConvertible(RequestID())
        let trace = RequestTrace(request, channel, logger, proxies)
        return RequestTrace.$current.withValue(trace) {
            answer(request, since: start, logger, write)
        }
    }

    private func answer(
        _ request: Request,
        since start: Date,
        _ logger: Logger,
        _ write: () throws -> ByteBuffer
    ) -> (response: Response, document: ByteBuffer) {
        var response: Response
        let document: ByteBuffer
        do {
            document = try write()
            response = .json(document)
        } catch {
            let refusal = ServerError(any: error)
            log(refusal, logger)
            document = refusal.problemDocument
            response = refusal.problem(document)
        }
        complete(&response, of: request, since: start, logger)
        return (response, document)
    }

    private func complete(
        _ response: inout Response,
        of request: Request,
        since start: Date,
        _ logger: Logger
    ) {
        record(&response, of: request, since: start)
        if logger.logLevel <= .info { log(request, response, logger) }
    }

    private func record(_ response: inout Response, of request: Request, since start: Date) {
        headers.add(to: &response, for: request)
        let seconds = time.now.timeIntervalSince(start)
        measures.count(request.method, response.status, seconds: seconds)
    }

    /// Answers a client that was refused too often, of whose request nothing is looked at.
    private func unseen(
        _ request: Request,
        _ context: ServerContext,
        waiting seconds: Int,
        _ start: Date
    ) throws -> Response {
        let refusal = ServerError(AccountsError.tooManyRefusals(seconds: seconds))
        if let untoldCount = limited.count(now: start) {
            log(refusal, context.logger, ["untold": "\(untoldCount)"])
        }
        var response = try writer.response(refusal, to: request)
        record(&response, of: request, since: start)
        return response
    }

    /// Refusals for what was sent; not those that a person with an honest request may get, or for waiting.
    private static func isBad(_ status: HTTPResponse.Status) -> Bool {
        [.badRequest, .unauthorized, .contentTooLarge, .unprocessableContent].contains(status)
    }

    /// The route's pattern stands for the path, and no field of the request is written: neither can
    /// carry a secret into the log, nor a line break.
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

    private func log(
        _ refusal: ServerError,
        _ logger: Logger,
        _ details: Logger.Metadata = [:]
    ) {
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

/// Writes a refusal as whoever asked can read it.
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

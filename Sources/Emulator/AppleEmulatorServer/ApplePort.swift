import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// Passes every request, with any method and path, to the emulated Apple.
struct ApplePort: HTTPResponder {
    static let maximumBodySeconds = 30

    /// Responds to a request with its body, or with the reason why the body was not read.
    typealias Respond =
        @Sendable (HTTPRequest, Result<Data, RequestProblem>) async -> EmulatorAnswer

    let time: TimeSource
    let answer: Respond

    func respond(to request: Request, context: PortContext) async throws -> Response {
        try await respond(to: request.head, body: try await body(of: request), context: context)
    }

    /// Responds to a request with its body, or with the reason why the body was not read.
    func respond(
        to head: HTTPRequest,
        body: Result<Data, RequestProblem>,
        context: PortContext
    ) async throws -> Response {
        let answer = await self.answer(head, body)
        if let delay = answer.delay, await !wait(delay) { return await drop(context) }
        guard !answer.isDropped else { return await drop(context) }
        var response = Self.response(answer)
        // The unread rest of the body would be read as the next request.
        if case .failure = body { response.headers[.connection] = "close" }
        return response
    }

    /// Reads the body; one over the limit is refused, at once if its length is declared.
    private func body(of request: Request) async throws -> Result<Data, RequestProblem> {
        let declared = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard declared <= AppleEmulator.maximumBodyByteCount else { return .failure(.bodyTooLarge) }
        do {
            return .success(try await collected(request))
        } catch is NIOTooManyBytesError {
            return .failure(.bodyTooLarge)
        } catch let problem as RequestProblem {
            return .failure(problem)
        } catch let error as HTTPParserError {
            return .failure(.bodyMalformed("\(error)"))
        }
    }

    private func collected(_ request: Request) async throws -> Data {
        let isThere =
            request.headers[.contentLength].map { $0 != "0" }
            ?? request.headers.contains(.transferEncoding)
        let collect = { @Sendable () async throws -> Data in
            let buffer = try await request.body.collect(upTo: AppleEmulator.maximumBodyByteCount)
            return Data(buffer.readableBytesView)
        }
        guard isThere else { return try await collect() }
        return try await time.within(
            .seconds(Self.maximumBodySeconds),
            late: RequestProblem.bodyTooSlow(seconds: Self.maximumBodySeconds),
            collect
        )
    }

    /// Waits for a fault's delay; returns false if the server stops meanwhile.
    private func wait(_ delay: Duration) async -> Bool {
        do {
            try await cancelWhenGracefulShutdown { try await time.sleep(for: delay) }
            return true
        } catch {
            return false
        }
    }

    /// Closes the connection; the returned response is never sent.
    private func drop(_ context: PortContext) async -> Response {
        // The connection may already be closed.
        try? await context.channel.close()
        return Response(status: .serviceUnavailable)
    }

    private static func response(_ answer: EmulatorAnswer) -> Response {
        var head = answer.response
        PortSecurity.complete(&head.headerFields)
        let body = answer.mayHaveBody ? ByteBuffer(bytes: answer.body) : ByteBuffer()
        return Response(
            status: head.status,
            headers: head.headerFields,
            body: ResponseBody(byteBuffer: body)
        )
    }
}

/// Reports request heads that are not valid HTTP; the server's response is an empty 400.
///
/// Once a head is read, ``ApplePort`` has the request and reports problems itself.
final class UnreadableRequests: ChannelInboundHandler, RemovableChannelHandler {
    // Reads pass through unchanged.
    typealias InboundIn = Never

    private let tell: @Sendable (String) -> Void

    init(tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? HTTPParserError {
        // In a body, or because the client closed the connection.
        case nil, .invalidChunkSize, .invalidEOFState: break
        case .strictModeAssertion: tell("not exactly one Host, or an unknown Transfer-Encoding")
        case .headerOverflow: tell("the head is too large")
        case let problem?: tell("\(problem)")
        }
        context.fireErrorCaught(error)
    }
}

/// The context of a request to any port, with its connection.
struct PortContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Hands every request, whatever its method and path, to the emulated Apple.
struct ApplePort: HTTPResponder {
    /// Answers a request with its body; nil stands for a body over the limit.
    typealias Respond = @Sendable (HTTPRequest, Data?) async -> EmulatorAnswer

    private let answer: Respond
    private let time: TimeSource

    /// - Parameters:
    ///   - time: waits as long as an answer says.
    ///   - answer: the emulated Apple.
    init(time: TimeSource, answer: @escaping Respond) {
        self.time = time
        self.answer = answer
    }

    func respond(to request: Request, context: ApplePortContext) async throws -> Response {
        let body = try await body(of: request)
        let answer = await self.answer(request.head, body)
        if let delay = answer.delay, await !wait(delay) {
            return await drop(context)
        }
        guard !answer.isDropped else { return await drop(context) }
        var response = Self.response(answer)
        // What was not read of the body would be taken for the next request.
        if body == nil { response.headers[.connection] = "close" }
        return response
    }

    /// The whole body; nil when it is over the limit, which a declared length shows at once.
    private func body(of request: Request) async throws -> Data? {
        let declared = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard declared <= AppleEmulator.bodyByteCountMax else { return nil }
        do {
            let buffer = try await request.body.collect(upTo: AppleEmulator.bodyByteCountMax)
            return Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            return nil
        }
    }

    /// Waits as a fault asks; false when the server stops meanwhile.
    private func wait(_ delay: Duration) async -> Bool {
        do {
            try await cancelWhenGracefulShutdown { try await time.sleep(for: delay) }
            return true
        } catch {
            return false
        }
    }

    /// Closes the connection; the response that is returned has nowhere to go.
    private func drop(_ context: ApplePortContext) async -> Response {
        // A connection that is closed already is what was asked for.
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

import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Hands every request, whatever its method and path, to the emulated Apple.
struct ApplePort: HTTPResponder {
    typealias Respond = @Sendable (HTTPRequest, Data) async -> EmulatorAnswer

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
        guard let body = try await body(of: request) else { return Self.tooLarge }
        let answer = await self.answer(request.head, body)
        if let delay = answer.delay, await !wait(delay) {
            return await drop(context)
        }
        return answer.isDropped ? await drop(context) : Self.response(answer)
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
        return Response(
            status: head.status,
            headers: head.headerFields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        )
    }

    private static var tooLarge: Response {
        let body: JSONObject = [
            "error": "invalid_request",
            "error_description": .string(
                "The body is larger than \(AppleEmulator.bodyByteCountMax) bytes."
            ),
        ]
        var response = Response(json: body, status: .contentTooLarge)
        response.headers[.connection] = "close"
        return response
    }
}

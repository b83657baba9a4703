import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import SignInWithAppleHummingbird

/// The routes that may be answered at once, on the event loop of the connection, from what memory has.
///
/// The way through a task and a route costs more than a session check: two changes of threads, and copies of what goes
/// along. A route says how it answers without waiting; what memory does not have goes the usual way, and so do all
/// refusals. What is done around an answer is the same ``ServerMiddleware`` on both ways.
struct ImmediateAnswers: Sendable {
    /// Makes the document of an answer, or nil when that takes more than memory.
    typealias Document = @Sendable (Request) -> ByteBuffer?

    private struct Known: Sendable {
        let path: String
        let document: Document
        let middleware: ServerMiddleware
    }

    private var known: [Known] = []
    private let dates: DateField

    init(dates: DateField) {
        self.dates = dates
    }

    /// Adds a route of GET.
    mutating func add(
        _ path: String,
        _ document: @escaping Document,
        _ middleware: ServerMiddleware
    ) {
        known.append(Known(path: path, document: document, middleware: middleware))
    }

    /// Whether a request may be answered at once; one after which the connection ends may not.
    func mayAnswer(_ head: HTTPRequest) -> Bool {
        head.method == .get && known.contains { $0.path == head.path }
            && head.headerFields[.connection] != "close"
    }

    /// An answer, when memory has it.
    ///
    /// - Parameters:
    ///   - head: a request without a body.
    ///   - channel: its connection.
    ///   - logger: told of the request.
    /// - Returns: the answer's head and document.
    func answer(
        _ head: HTTPRequest,
        on channel: any Channel,
        logger: Logger
    ) -> (HTTPResponse, ByteBuffer)? {
        guard let known = known.first(where: { $0.path == head.path }) else { return nil }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        var document: ByteBuffer?
        let answer = known.middleware.answerAtOnce(request, on: channel, logger: logger) {
            document = known.document($0)
            return document.map { .json($0) }
        }
        guard var answer, let document else { return nil }
        answer.headers[.date] = dates.text
        return (answer.head, document)
    }
}

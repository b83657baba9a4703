import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// How a route of GET is answered on the event loop of the connection, in no task.
struct ImmediateDocument: Sendable {
    /// How far a document has come.
    enum Beginning {
        /// Memory was enough for it.
        case written(ByteBuffer)
        /// The store was asked, and its answer comes.
        case awaited
        /// It takes a task.
        case impossible
    }

    /// Writes the document, or asks the store on behalf of the receiver.
    let begin: @Sendable (Request, any SessionReceiver) -> Beginning
    /// Writes the document by what the store has answered, or throws a refusal.
    let finish: @Sendable (Result<SignedInSession?, AccountStoreError>) throws -> ByteBuffer
}

/// The routes that are answered on the event loop of the connection.
///
/// The way through a task and a route costs more than a session check: changes of threads, and copies of what goes along. A
/// route says how it answers from memory, or by a store that answers without a task; everything else goes the usual way. What
/// is done around an answer is the same ``ServerMiddleware`` on both ways.
struct ImmediateAnswers: Sendable {
    fileprivate struct Known: Sendable {
        let path: String
        let document: ImmediateDocument
        let middleware: ServerMiddleware
    }

    /// A request that waits for the store.
    struct Awaited {
        let request: Request
        fileprivate let known: Known
        fileprivate let start: Date
    }

    /// An answer's head and document.
    typealias Answer = (HTTPResponse, ByteBuffer)

    /// How far an answer has come.
    enum Beginning {
        case answered(Answer)
        /// ``finish(_:_:on:logger:)`` has to be called with what comes.
        case awaited(Awaited)
        /// The request has to go the usual way.
        case impossible
    }

    let inboxes = EventLoopInboxes()
    private var known: [Known] = []
    private let dates: DateField

    init(dates: DateField) {
        self.dates = dates
    }

    /// Adds a route of GET.
    mutating func add(
        _ path: String,
        _ document: ImmediateDocument,
        _ middleware: ServerMiddleware
    ) {
        known.append(Known(path: path, document: document, middleware: middleware))
    }

    /// Whether a request may be answered so; one after which the connection ends may not.
    func mayAnswer(_ head: HTTPRequest) -> Bool {
        head.method == .get && known.contains { $0.path == head.path }
            && head.headerFields[.connection] != "close"
    }

    /// Begins an answer, which most often ends it.
    ///
    /// - Parameters:
    ///   - head: a request without a body.
    ///   - receiver: gets the store's answer when that has to be asked.
    ///   - channel: the request's connection.
    ///   - logger: told of the request.
    /// - Returns: how far it has come.
    func begin(
        _ head: HTTPRequest,
        _ receiver: any SessionReceiver,
        on channel: any Channel,
        logger: Logger
    ) -> Beginning {
        guard let known = known.first(where: { $0.path == head.path }),
            let start = known.middleware.beginWithoutTask()
        else { return .impossible }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        switch known.document.begin(request, receiver) {
        case .written(let document):
            let (response, _) = known.middleware.answerWithoutTask(
                request,
                since: start,
                on: channel,
                logger: logger,
                mayLog: false
            ) { document }
            return .answered(dated(response, document))
        case .awaited: return .awaited(Awaited(request: request, known: known, start: start))
        case .impossible: return .impossible
        }
    }

    /// Ends an answer by what the store has said.
    ///
    /// - Parameters:
    ///   - awaited: what waited for it.
    ///   - answer: what the store has said.
    ///   - channel: the request's connection.
    ///   - logger: told of the request.
    /// - Returns: the answer.
    func finish(
        _ awaited: Awaited,
        _ answer: SessionAnswer,
        on channel: any Channel,
        logger: Logger
    ) -> Answer {
        let found = Result(catching: answer)
        let (response, document) = awaited.known.middleware.answerWithoutTask(
            awaited.request,
            since: awaited.start,
            on: channel,
            logger: logger,
            mayLog: (try? found.get()) == nil
        ) { try awaited.known.document.finish(found) }
        return dated(response, document)
    }

    private func dated(_ response: Response, _ document: ByteBuffer) -> Answer {
        var head = response.head
        head.headerFields[.date] = dates.text
        return (head, document)
    }
}

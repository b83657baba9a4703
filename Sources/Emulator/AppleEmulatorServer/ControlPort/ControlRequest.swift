import AppleEmulator
import AppleIdentity
import Foundation
import Hummingbird
import NIOCore
import NIOHTTP1
import StrictHTTP

struct ControlRequest {
    static let maximumBodyByteCount = 256 * 1024
    /// The longest email address in a path, in Unicode scalars: the limit of an SMTP path.
    static let maximumEmailCount = 254

    /// The highest number in a query: not every program reads numbers beyond 2^53 exactly.
    ///
    /// Source: [RFC 8259, section 6](https://www.rfc-editor.org/rfc/rfc8259#section-6)
    static let maximumNumber = 1 << 53

    let world: World
    /// The body's members; empty when there is no body.
    let object: JSONObject
    private let request: Request
    private let parameters: Parameters
    private let channel: any Channel

    init(_ request: Request, _ object: JSONObject, context: ControlContext) {
        (world, self.request, self.object) = (context.world, request, object)
        (parameters, channel) = (context.parameters, context.channel)
    }

    var emulator: AppleEmulator { world.emulator }

    /// The host and port with which the caller reaches this port.
    var authority: String { request.head.authority ?? "" }

    /// Whether the caller prefers a page to JSON, as browsers do.
    var prefersPage: Bool { AcceptedTypes(request.headers[values: .accept]).prefersPage }

    private var query: Parameters { request.uri.queryParameters }

    /// The email address of the person in the path.
    func email() throws -> String {
        let text = try parameter("email")
        guard text.unicodeScalars.count <= Self.maximumEmailCount else {
            throw ControlProblem.wrongField("email", "in the path is too long")
        }
        return text
    }

    func parameter(_ name: String) throws -> String {
        guard let text = parameters.get(name)?.removingPercentEncoding, !text.isEmpty else {
            throw ControlProblem.wrongField(name, "in the path is empty or badly encoded")
        }
        return text
    }

    func optionalQuery(_ name: String) throws -> String? {
        query.getAll(name).isEmpty ? nil : try query(name)
    }

    func query(_ name: String) throws -> String {
        let values = query.getAll(name)
        guard values.count <= 1 else { throw ControlProblem.wrongField(name, "appears twice") }
        guard let value = values.first, !value.isEmpty else {
            throw ControlProblem.wrongField(name, "is missing in the query")
        }
        return value
    }

    func optionalNumber(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = try optionalQuery(name) else { return nil }
        let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, let number = Int(text), range.contains(number) else {
            let limits = "from \(range.lowerBound) to \(range.upperBound)"
            throw ControlProblem.wrongField(name, "must be a whole number \(limits)")
        }
        return number
    }

    /// Runs an operation, and cancels it when the client closes the connection.
    func whileClientListens(_ operation: @escaping @Sendable () async throws -> Void) async throws {
        // A request that came over no connection has no client that could close it.
        let presence = try? await channel.pipeline.handler(type: ClientPresence.self).get()
        guard let presence else { return try await operation() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await presence.end()
                throw CancellationError()
            }
            group.addTask { try await operation() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    static func object(of request: Request) async throws -> JSONObject {
        let data = try await request.body.data(upTo: maximumBodyByteCount, else: .tooLarge)
        guard !data.isEmpty else { return [:] }
        do {
            return try JSONObject(parsing: data)
        } catch {
            throw ControlProblem.malformed("The body is invalid: \(error).")
        }
    }

    /// The body of a route that does not read an object.
    func document(upTo maximumByteCount: Int, else tooLarge: ControlProblem) async throws -> Data {
        let declared = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard declared <= maximumByteCount else { throw tooLarge }
        return try await request.body.data(upTo: maximumByteCount, else: tooLarge)
    }
}

extension RequestBody {
    fileprivate func data(
        upTo maximumByteCount: Int,
        else tooLarge: ControlProblem
    ) async throws -> Data {
        do {
            return Data(try await collect(upTo: maximumByteCount).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch let error as HTTPParserError {
            throw ControlProblem.unreadable(error)
        }
    }
}

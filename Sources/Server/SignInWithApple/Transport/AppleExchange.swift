import AppleIdentity
import CoreMetrics
import Foundation
import HTTPTypes
import StrictHTTP
import Tracing

/// Sends requests to Apple's paths, with limits of time and size for any transport.
package struct AppleExchange: Sendable {
    package let service: AppleService
    let transport: AppleTransport
    package let time: TimeSource
    private let metrics: (any MetricsFactory)?
    private let spans: Spans

    package struct Answer: Sendable {
        package let status: Int
        package let fields: HTTPFields
        package let body: Data
    }

    package init(
        service: AppleService,
        transport: AppleTransport,
        time: TimeSource,
        metrics: (any MetricsFactory)? = nil,
        spans: Spans = Spans(nil)
    ) {
        self.service = service
        self.transport = transport
        self.time = time
        self.metrics = metrics
        self.spans = spans
    }

    package func get(_ path: String) async throws -> Answer {
        try await send(try request(.get, path), body: Data())
    }

    func post(
        _ path: String,
        form: FormCoding.Fields,
        bearerToken: String? = nil
    ) async throws -> Answer {
        let body = Data(FormCoding.encode(form).utf8)
        var request = try request(.post, path)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        request.headerFields[.contentLength] = String(body.count)
        if let bearerToken { request.headerFields[.authorization] = "Bearer \(bearerToken)" }
        return try await send(request, body: body)
    }

    private func request(
        _ method: HTTPRequest.Method,
        _ path: String
    ) throws(SignInError) -> HTTPRequest {
        if let mistake = service.addressMistake {
            throw SignInError(.configurationInvalid, hint: mistake)
        }
        let url = service.url
        let host = url.host(percentEncoded: true) ?? ""
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let base = url.path(percentEncoded: true)
        return HTTPRequest(
            method: method,
            scheme: url.scheme,
            authority: url.port.map { "\(name):\($0)" } ?? name,
            path: (base.hasSuffix("/") ? String(base.dropLast()) : base) + path,
            // Apple has been seen to reject requests without a User-Agent.
            headerFields: [.accept: "application/json", .userAgent: "sign-in-with-apple"]
        )
    }

    private func send(_ request: HTTPRequest, body: Data) async throws -> Answer {
        // Nothing is sent for a cancelled caller: it would use up a code.
        try Task.checkCancellation()
        let outcome: AppleTransport.Response
        let start = time.now
        do {
            outcome = try await sent(request, body: body)
            measure(request, status: outcome.head.status, since: start)
        } catch {
            measure(request, status: nil, since: start)
            try Task.checkCancellation()
            if let error = error as? SignInError { throw error }
            // Of other errors only the type, because a text could repeat what was sent.
            let reason = ConnectionFailure.words(for: error) ?? "\(type(of: error))"
            let server = "\(request.scheme ?? "")://\(request.authority ?? "")"
            throw SignInError(
                .appleUnavailable,
                hint: "no response from \(server)\(request.path ?? ""): \(reason)"
            )
        }
        guard outcome.body.count <= AppleTransport.maximumAnswerByteCount else {
            throw SignInError(
                .appleAnswerUnreadable,
                hint: "the response is longer than \(AppleTransport.maximumAnswerByteCount) bytes"
            )
        }
        return Answer(
            status: outcome.head.status.code,
            fields: outcome.head.headerFields,
            body: outcome.body
        )
    }

    private func sent(_ request: HTTPRequest, body: Data) async throws -> AppleTransport.Response {
        let name = "\(request.method.rawValue) \(request.path ?? "")"
        return try await spans.within(name, ofKind: .client) {
            var request = request
            spans.inject(into: &request.headerFields)
            let carried = request
            return try await withinTimeLimit { try await transport.send(carried, body: body) }
        }
    }

    /// The paths are those of ``ApplePath``, whose last parts differ.
    private func measure(_ request: HTTPRequest, status: HTTPResponse.Status?, since start: Date) {
        let endpoint = request.path?.split(separator: "/").last.map(String.init) ?? "none"
        let duration = CoreMetrics.Timer(
            label: "siwa_apple_request_duration_seconds",
            dimensions: [
                ("endpoint", endpoint), ("status", status.map { "\($0.code / 100)xx" } ?? "none"),
            ],
            factory: metrics ?? MetricsSystem.factory
        )
        duration.recordSeconds(time.now.timeIntervalSince(start))
    }

    private struct TimeLimitPassed: Error {}

    private func withinTimeLimit(
        _ exchange: @escaping @Sendable () async throws -> AppleTransport.Response
    ) async throws -> AppleTransport.Response {
        try await withThrowingTaskGroup(of: AppleTransport.Response?.self) { group in
            group.addTask { try await exchange() }
            group.addTask {
                try await time.sleep(for: AppleTransport.maximumAnswerTime)
                return nil
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() ?? nil else { throw TimeLimitPassed() }
            return answer
        }
    }
}

/// The time in a `Date` field.
///
/// Source: [RFC 9110, section 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)
package enum HTTPDate {
    /// Reads the form that senders must use, as in `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func parse(_ text: String?) -> Date? { text.flatMap(Date.init(httpText:)) }
}

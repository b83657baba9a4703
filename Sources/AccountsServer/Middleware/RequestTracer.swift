import HTTPTypes
import Hummingbird
import Instrumentation
import SignInWithApple
import Tracing

/// Starts a span for each request, in the trace that a trusted proxy has started or in a new one.
///
/// Other clients could put the IDs of another trace into the log, or have every request recorded.
struct RequestTracer: Sendable {
    let tracer: any Tracer
    let proxies: TrustedProxies

    /// - Parameters:
    ///   - tracer: records the spans; nil and `NoOpTracer` disable tracing.
    ///   - proxies: the proxies whose traces are continued.
    init?(_ tracer: (any Tracer)?, _ proxies: TrustedProxies) {
        guard let tracer, !(tracer is NoOpTracer) else { return nil }
        self.tracer = tracer
        self.proxies = proxies
    }

    func start(_ request: Request, _ context: ServerContext) -> any Span {
        let method = request.method.rawValue
        let known = RequestMeasures.knownMethods.contains(method) ? method : "other"
        let route = context.endpointPath ?? RequestMeasures.noRoute
        let span = tracer.startSpan(
            "\(known) \(route)",
            context: received(request, context),
            ofKind: .server
        )
        if span.isRecording {
            span.attributes["http.request.method"] = known
            span.attributes["http.route"] = route
        }
        return span
    }

    /// Marks the span as failed for a server error; other errors are ordinary responses.
    func describe(_ response: Response, on span: any Span) {
        guard span.isRecording else { return }
        span.attributes["http.response.status_code"] = response.status.code
        if response.status.code >= 500 { span.fail("\(response.status.code)") }
    }

    private func received(_ request: Request, _ context: ServerContext) -> InstrumentationContext {
        var received = InstrumentationContext.topLevel
        guard let peer = context.channel.remoteAddress?.ipAddress, proxies.isTrusted(peer) else {
            return received
        }
        tracer.extract(request.headers, into: &received, using: FieldExtractor())
        return received
    }
}

private struct FieldExtractor: Extractor {
    /// Several fields with one name form a list, which is never mistaken for a single value.
    func extract(key: String, from carrier: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { carrier[$0] }
    }
}

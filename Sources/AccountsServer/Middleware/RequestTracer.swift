import HTTPTypes
import Hummingbird
import Instrumentation
import SignInWithApple
import Tracing

/// Begins a span for each request: of the trace that a proxy has begun, or of a new one.
///
/// Only a proxy that is trusted is asked: anybody else could give our lines in the log the identifiers of another
/// trace, or have all of their requests recorded.
struct RequestTracer: Sendable {
    let tracer: any Tracer
    let proxies: TrustedProxies

    /// - Parameters:
    ///   - tracer: who is told of spans; one that ignores everything counts as none.
    ///   - proxies: whose traces are gone on with.
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

    /// A failure of the server's own is one of the span; a refusal is an answer as any other.
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
    /// Several fields of a name are one list, which no single value can be mistaken for.
    func extract(key: String, from carrier: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { carrier[$0] }
    }
}

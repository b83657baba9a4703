import HTTPTypes
import Instrumentation
import Tracing

/// Creates the spans of a tracer; without a tracer, tracing costs almost nothing.
package struct Spans: Sendable {
    private let configured: (any Tracer)?

    /// Nil stands for the tracer of `InstrumentationSystem`, which a program may set later.
    package init(_ tracer: (any Tracer)?) { configured = tracer }

    private var tracer: (any Tracer)? {
        let tracer = configured ?? InstrumentationSystem.tracer
        return tracer is NoOpTracer ? nil : tracer
    }

    /// Runs work within a span of the current trace.
    ///
    /// The span records an error's code or type only: its description may contain anything.
    nonisolated(nonsending) func within<Answer, Failure: Error>(
        _ name: @autoclosure () -> String,
        ofKind kind: SpanKind = .internal,
        _ work: nonisolated(nonsending) () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        guard let tracer else { return try await work() }
        let span = tracer.startSpan(name(), context: .current ?? .topLevel, ofKind: kind)
        let result = await Self.result(of: work, within: span.context)
        if case .failure(let error) = result {
            span.setStatus(SpanStatus(code: .error))
            span.attributes["error.type"] = Self.kind(of: error)
        }
        span.end()
        return try result.get()
    }

    /// Writes the current trace into a request, for the service that receives it.
    func inject(into fields: inout HTTPFields) {
        guard let tracer, let context = InstrumentationContext.current else { return }
        tracer.inject(context, into: &fields, using: FieldInjector())
    }

    nonisolated(nonsending) private static func result<Answer, Failure: Error>(
        of work: nonisolated(nonsending) () async throws(Failure) -> Answer,
        within context: InstrumentationContext
    ) async -> Result<Answer, Failure> {
        await InstrumentationContext.$current.withValue(context) {
            do throws(Failure) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
    }

    private static func kind(of error: any Error) -> String {
        (error as? SignInError)?.code.rawValue ?? "\(type(of: error))"
    }
}

private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
        guard let name = HTTPField.Name(key) else { return }
        carrier[name] = value
    }
}

import Instrumentation
import Tracing

/// Hands the context of traces on and records nothing: for lines of the log that tell the trace, and for requests that
/// carry it to the next service.
///
/// Source: [Trace Context](https://www.w3.org/TR/trace-context/)
package struct ContextTracer: Tracer {
    package static let parentField = "traceparent"
    /// The field with what tracing systems tell each other besides.
    package static let stateField = "tracestate"

    package init() {}

    /// Starts a span: one of the context's trace, or of a new one.
    package func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> InstrumentationContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> ContextSpan {
        var context = context()
        var generator = SystemRandomNumberGenerator()
        context.traceParent =
            context.traceParent?.child(using: &generator) ?? TraceParent(using: &generator)
        return ContextSpan(context: context, operationName: operationName)
    }

    /// Nothing waits to be exported.
    package func forceFlush() {}

    /// Takes the trace of a request; a wrong one, or two of them, counts as none.
    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout InstrumentationContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let text = extractor.extract(key: Self.parentField, from: carrier),
            let parent = TraceParent(text)
        else { return }
        context.traceParent = parent
        context.traceState = extractor.extract(key: Self.stateField, from: carrier)
            .flatMap(TraceState.init)
    }

    /// Writes the trace into a request.
    package func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let parent = context.traceParent else { return }
        injector.inject(parent.text, forKey: Self.parentField, into: &carrier)
        guard let state = context.traceState else { return }
        injector.inject(state.text, forKey: Self.stateField, into: &carrier)
    }
}

/// A span that is only a name in a trace.
package struct ContextSpan: Span {
    /// The span's own context, with its identifier.
    package let context: InstrumentationContext
    private let name: String

    init(context: InstrumentationContext, operationName: String) {
        self.context = context
        name = operationName
    }

    /// What the span is called; another name is not kept.
    package var operationName: String {
        get { name }
        nonmutating set {}
    }

    package var attributes: SpanAttributes {
        get { [:] }
        nonmutating set {}
    }

    /// Nothing is recorded, so that nobody need compute attributes.
    package var isRecording: Bool { false }

    package func setStatus(_ status: SpanStatus) {}

    package func addEvent(_ event: SpanEvent) {}

    package func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {}

    package func addLink(_ link: SpanLink) {}

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {}
}

extension InstrumentationContext {
    private enum ParentKey: InstrumentationContextKey {
        typealias Value = TraceParent
    }

    private enum StateKey: InstrumentationContextKey {
        typealias Value = TraceState
    }

    /// The trace and the span, when a ``ContextTracer`` has begun one.
    package internal(set) var traceParent: TraceParent? {
        get { self[ParentKey.self] }
        set { self[ParentKey.self] = newValue }
    }

    var traceState: TraceState? {
        get { self[StateKey.self] }
        set { self[StateKey.self] = newValue }
    }
}

import Instrumentation
import Tracing

/// Passes the context of traces on and records nothing: for log lines with the trace, and for requests that
/// carry it to the next service.
///
/// Source: [Trace Context](https://www.w3.org/TR/trace-context/)
package struct ContextTracer: Tracer {
    package static let parentField = "traceparent"
    /// The field with vendor-specific data of tracing systems.
    package static let stateField = "tracestate"

    package init() {}

    /// Starts a span of the context's trace, or of a new one.
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

    /// Does nothing: no span is exported.
    package func forceFlush() {}

    /// Reads the trace of a request; an invalid one, or two of them, count as none.
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

/// A span with a name and a context only.
package struct ContextSpan: Span {
    /// The span's own context, with its identifier.
    package let context: InstrumentationContext
    private let name: String

    init(context: InstrumentationContext, operationName: String) {
        self.context = context
        name = operationName
    }

    /// The name of the span; a new name is ignored.
    package var operationName: String {
        get { name }
        nonmutating set {}
    }

    package var attributes: SpanAttributes {
        get { [:] }
        nonmutating set {}
    }

    /// False: nothing is recorded, so the attributes need not be computed.
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

    /// The trace and the span, if a ``ContextTracer`` has begun one.
    package internal(set) var traceParent: TraceParent? {
        get { self[ParentKey.self] }
        set { self[ParentKey.self] = newValue }
    }

    var traceState: TraceState? {
        get { self[StateKey.self] }
        set { self[StateKey.self] = newValue }
    }
}

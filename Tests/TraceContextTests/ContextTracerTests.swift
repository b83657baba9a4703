import Instrumentation
import Testing
import Tracing

@testable import TraceContext

@Suite("The tracer that passes contexts on")
struct ContextTracerTests {
    private struct Fields: Extractor, Injector {
        func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }

        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
            carrier[key] = value
        }
    }

    private static let received = [
        "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "tracestate": "rojo=1",
    ]

    private let tracer = ContextTracer()

    private func extracted(_ fields: [String: String]) -> InstrumentationContext {
        var context = InstrumentationContext.topLevel
        tracer.extract(fields, into: &context, using: Fields())
        return context
    }

    private func sent(_ context: InstrumentationContext) -> [String: String] {
        var fields: [String: String] = [:]
        tracer.inject(context, into: &fields, using: Fields())
        return fields
    }

    @Test("continues a trace, with a span of its own") func goesOn() throws {
        let span = tracer.startSpan("work", context: extracted(Self.received))
        let fields = sent(span.context)
        let parent = try #require(fields["traceparent"].flatMap(TraceParent.init))
        #expect("\(parent.traceID)" == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(parent.spanText != "00f067aa0ba902b7")
        #expect(parent.isSampled)
        #expect(fields["tracestate"] == "rojo=1")
    }

    @Test(
        "begins a trace if there is none, or a wrong one",
        arguments: [
            [:], ["traceparent": "00-0-0-00", "tracestate": "rojo=1"], ["tracestate": "rojo=1"],
        ]
    )
    func begins(_ fields: [String: String]) throws {
        let span = tracer.startSpan("work", context: extracted(fields))
        let parent = try #require(span.context.traceParent)
        #expect(!parent.isSampled)
        #expect(sent(span.context) == ["traceparent": parent.text])
    }

    @Test("passes on a trace without its wrong tracestate") func wrongState() {
        var fields = Self.received
        fields["tracestate"] = "Rojo"
        #expect(Set(sent(extracted(fields)).keys) == ["traceparent"])
    }

    @Test("creates spans within a span in the same trace") func nested() {
        tracer.withSpan("outer") { outer in
            tracer.withSpan("inner") { inner in
                #expect(inner.context.traceParent?.traceID == outer.context.traceParent?.traceID)
                #expect(inner.context.traceParent?.spanID != outer.context.traceParent?.spanID)
                #expect(!inner.isRecording)
                #expect(inner.operationName == "inner")
            }
        }
    }
}

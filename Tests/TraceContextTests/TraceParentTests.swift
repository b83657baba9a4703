import Testing

@testable import TraceContext

@Suite("The field traceparent")
struct TraceParentTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    @Test("is read and written as the specification's example", arguments: ["00", "01"])
    func example(_ flags: String) throws {
        let text = "00-\(Self.trace)-\(Self.span)-\(flags)"
        let parent = try #require(TraceParent(text))
        #expect("\(parent.traceID)" == Self.trace)
        #expect(parent.spanText == Self.span)
        #expect(parent.isSampled == (flags == "01"))
        #expect(parent.text == text)
    }

    @Test(
        "may be of a later version, and is written in ours",
        arguments: [
            "cc-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01-what the future holds",
            "01-\(trace)-\(span)-ff",
        ]
    )
    func laterVersion(_ text: String) {
        #expect(TraceParent(text)?.text == "00-\(Self.trace)-\(Self.span)-01")
    }

    @Test(
        "is nil if it is invalid",
        arguments: [
            "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-", "00-\(trace)-\(span)-0",
            "00-\(trace)-\(span)-01-", "00-\(trace)-\(span)-01-more", "00-\(trace)-\(span)-011",
            "cc-\(trace)-\(span)-01.more", "ff-\(trace)-\(span)-01", "0-\(trace)-\(span)-01",
            "00-\(trace.uppercased())-\(span)-01", "0x-\(trace)-\(span)-01",
            "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
            "00_\(trace)_\(span)_01", " 00-\(trace)-\(span)-01", "00-\(trace)-\(span)-01 ",
            "00-\(trace)-\(span)-0g", "00-\(trace.dropLast())é-\(span)-01",
            "00-\(trace)-\(span)-01, 00-\(trace)-\(span)-01",
        ]
    )
    func wrong(_ text: String) {
        #expect(TraceParent(text) == nil)
    }

    @Test("has identifiers of its own for each trace and each span") func identifiers() {
        var generator = SystemRandomNumberGenerator()
        let first = TraceParent(using: &generator)
        let other = TraceParent(using: &generator)
        let child = first.child(using: &generator)
        #expect(first.traceID != other.traceID)
        #expect(child.traceID == first.traceID && child.spanID != first.spanID)
        #expect(TraceParent(child.text) == child)
    }

    @Test("never has an identifier of zeros, with any random numbers") func zeros() {
        var generator = Zeros()
        #expect(TraceParent(TraceParent(using: &generator).text) != nil)
    }
}

private struct Zeros: RandomNumberGenerator {
    mutating func next() -> UInt64 { 0 }
}

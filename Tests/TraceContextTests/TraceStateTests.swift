import Testing

@testable import TraceContext

@Suite("The field tracestate")
struct TraceStateTests {
    @Test(
        "is handed on as it came",
        arguments: [
            "rojo=00f067aa0ba902b7", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "a=1, b=2 ,\tc=3",
            "fw529a3039@dt=FfAAA", "a=b c", "a=1,,b=2",
            (1...TraceState.maximumMemberCount).map { "k\($0)=v" }.joined(separator: ","),
        ]
    )
    func valid(_ text: String) {
        #expect(TraceState(text)?.text == text)
    }

    @Test(
        "is dropped as a whole when one member is wrong",
        arguments: [
            "", ",", "rojo", "rojo=", "=v", "Rojo=1", "a=1,a=2", "a=1=2", "a=\u{7f}", "a=é",
            "a=1\nb=2", "a@=1",
            (0...TraceState.maximumMemberCount).map { "k\($0)=v" }.joined(separator: ","),
            "a=" + String(repeating: "v", count: TraceState.maximumByteCount),
        ]
    )
    func wrong(_ text: String) {
        #expect(TraceState(text) == nil)
    }
}

import AppleIdentity
import Foundation
import Testing

@testable import AppleEmulator
@testable import AppleEmulatorPages

@Suite("Notes in the drawing of a flow") struct FlowNoteTests {
    private static let start = Date(timeIntervalSince1970: 1_769_000_000)

    /// A flow of three token requests with this status and the same hint.
    private func flow(status: Int) -> FlowSnapshot {
        var flow = Flow(id: .random(), number: 1, kind: .web, startedAt: Self.start)
        for number in 1...3 {
            let request = FlowRequest(
                method: "POST",
                path: ApplePath.token,
                parameters: .plain([]),
                status: status,
                answer: nil,
                remark: Remark(hint: "send a User-Agent field")
            )
            flow.add(FlowEvent(number: number, time: Self.start, content: .request(request)))
        }
        let context = FlowSnapshot.Context(appName: nil, time: Self.start, codeSeconds: 300)
        return FlowSnapshot(flow, context)
    }

    @Test("A note that several steps have stands once, a fix at each refusal")
    func notes() throws {
        let renderer = try EmulatorPageRenderer()
        let frame = ConsoleFrame(clock: "2026-01-21 12:53:20 UTC")
        for (status, title, count) in [(200, "Note", 1), (400, "Fix", 3)] {
            let page = renderer.render(flow(status: status), in: frame)
            let remark = "<strong>\(title)</strong> send a User-Agent field"
            #expect(page.ranges(of: remark).count == count, "\(title)")
        }
    }
}

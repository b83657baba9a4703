import Foundation
import Testing

@testable import Accounts

@Suite("Identifiers that sort by time") struct TimeOrderedTextTests {
    private let start = Date(timeIntervalSince1970: 1_769_000_000)

    @Test("the example of RFC 9562 has its time, version and variant in the same places")
    func layout() {
        // Appendix A.6: 22 February 2022, 19:22:22 UTC.
        let text = TimeOrderedText.make(at: Date(timeIntervalSince1970: 1_645_557_742))
        #expect(text.count == 32)
        #expect(text.hasPrefix("017f22e279b0"))
        #expect(text.dropFirst(12).first == "7")
        #expect(text.dropFirst(16).first.map { "89ab".contains($0) } == true)
    }

    @Test("a later identifier sorts later")
    func order() {
        let texts = (0..<100).map { TimeOrderedText.make(at: start.addingTimeInterval(Double($0))) }
        #expect(texts == texts.sorted())
    }

    @Test("identifiers of the same moment differ")
    func unique() {
        let texts = Set((0..<10_000).map { _ in TimeOrderedText.make(at: start) })
        #expect(texts.count == 10_000)
    }

    @Test("a time before 1970 or beyond 48 bits is valid")
    func extremes() {
        for seconds in [-1, -1e12, 1e15, Double.greatestFiniteMagnitude] {
            #expect(TimeOrderedText.make(at: Date(timeIntervalSince1970: seconds)).count == 32)
        }
    }
}

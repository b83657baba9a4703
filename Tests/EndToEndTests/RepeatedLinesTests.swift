import Testing

@testable import siwa

@Suite("Repeated lines of a demo's report") struct RepeatedLinesTests {
    @Test("Equal lines in a row are written once and counted at the next line")
    func repeated() {
        var lines = RepeatedLines()
        let written = ["a", "a", "a", "b", "a", "a"].map { lines.add($0) }
        #expect(written == [["a"], [], [], ["… 3 times", "b"], ["a"], []])
        let (end, again) = (lines.end(), lines.end())
        #expect(end == ["… 2 times"] && again.isEmpty)
        let next = lines.add("a")
        #expect(next == ["a"])
    }
}

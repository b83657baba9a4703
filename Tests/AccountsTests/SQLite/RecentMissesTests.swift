import Testing

@testable import Accounts

@Suite("A record of the latest misses") struct RecentMissesTests {
    @Test(
        "contains a key from its first miss on",
        arguments: [0, 1, 65_536, UInt.max]
    )
    func second(hash: UInt) {
        #expect(answers(to: [hash, hash, hash]) == [false, true, true])
    }

    @Test("loses a key once another one has its slot")
    func overwritten() {
        let (first, second): (UInt, UInt) = (3 + 2 * 65_536, 3 + 5 * 65_536)
        #expect(answers(to: [first, second, first, first]) == [false, false, false, true])
    }

    private func answers(to hashes: [UInt]) -> [Bool] {
        var misses = RecentMisses()
        return hashes.map { misses.isRepeated(hash: $0) }
    }
}

import AppleIdentity
import Testing

@Suite("A value behind a lock") struct LockedValueTests {
    @Test("No change of any thread is lost") func noChangeIsLost() async {
        let count = LockedValue(0)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 { count.withLock { $0 += 1 } }
                }
            }
        }
        #expect(count.withLock { $0 } == 8_000)
    }

    @Test("An error passes through, and frees the lock") func errorFreesTheLock() {
        struct Refusal: Error {}
        let value = LockedValue("before")
        #expect(throws: Refusal.self) {
            try value.withLock { (text: inout String) throws(Refusal) in
                text = "after"
                throw Refusal()
            }
        }
        #expect(value.withLock { $0 } == "after")
    }
}

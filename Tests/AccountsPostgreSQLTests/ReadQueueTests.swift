import AccountStoreConformance
import Accounts
import Foundation
import Testing

@testable import AccountsPostgreSQL

@Suite("The queue of reads by a key")
struct ReadQueueTests {
    @Test("begins a statement for the first, and another one beside it for as many keys")
    func begins() {
        var queue = ReadQueue()
        #expect(queue.add(.numbered(0)) == .begin)
        // What comes before the keys are taken comes along.
        #expect(queue.add(.numbered(1)) == .watch)
        #expect(queue.add(.numbered(2)) == [])
        #expect(queue.take(now: .zero).reads.numbers == [0, 1, 2])
        #expect(queue.add(.numbered(3)) == .hold)
        #expect(queue.add(.numbered(4)) == [])
        #expect(queue.add(.numbered(5)) == .begin)
        let taken = queue.take(now: .zero)
        #expect(taken.reads.numbers == [3, 4, 5])
        #expect(taken.steps == [])
        // Both are under way.
        for number in 6..<30 { #expect(queue.add(.numbered(number)) == []) }
    }

    @Test("holds what is too few until a statement ends")
    func holds() {
        var queue = ReadQueue(underWay: [5, 7])
        #expect(queue.add(.numbered(0)) == .watch)
        #expect(queue.end(keyCount: 7, now: .zero) == .hold)
        #expect(queue.add(.numbered(1)) == [])
        #expect(queue.end(keyCount: 5, now: .zero) == .begin)
        #expect(queue.take(now: .zero).reads.numbers == [0, 1])
    }

    @Test("holds nothing for longer than it may")
    func letsGo() {
        var queue = ReadQueue(underWay: [5])
        #expect(queue.add(.numbered(0, at: .milliseconds(10))) == [.hold, .watch])
        #expect(queue.holdEnd == .milliseconds(30))
        #expect(queue.letGo(now: .milliseconds(29)) == .hold)
        #expect(queue.letGo(now: .milliseconds(30)) == .begin)
        #expect(queue.take(now: .zero).reads.numbers == [0])
        #expect(queue.letGo(now: .milliseconds(60)) == [])
        // Behind two statements the second one's keys have waited for long enough.
        var other = ReadQueue(underWay: [5, 5])
        #expect(other.add(.numbered(0)) == .watch)
        #expect(other.end(keyCount: 5, now: .milliseconds(20)) == .begin)
    }

    @Test(
        "shares many between two statements when there is none",
        arguments: [
            (7, [7]), (8, [4, 4]), (9, [4, 5]), (65, [32, 33]), (127, [63, 64]), (128, [64, 64]),
            (200, [64, 64]),
        ]
    )
    func shares(_ count: Int, _ expected: [Int]) {
        var queue = ReadQueue(underWay: [1, 1])
        for number in 0..<count { _ = queue.add(.numbered(number)) }
        // Both end before the keys are taken.
        var steps = [queue.end(keyCount: 1, now: .zero), queue.end(keyCount: 1, now: .zero)]
        var counts: [Int] = []
        while let step = steps.popLast() {
            guard step.contains(.begin) else { continue }
            let taken = queue.take(now: .zero)
            counts.append(taken.reads.count)
            steps.append(taken.steps)
        }
        #expect(counts == expected)
        #expect(queue.waiting.count == count - expected.reduce(0, +))
    }

    @Test("gives up what has waited for too long, and tells when to look again")
    func givesUp() {
        var queue = ReadQueue(underWay: [1, 1])
        #expect(queue.add(.numbered(0, at: .seconds(1))) == .watch)
        #expect(queue.add(.numbered(1, at: .seconds(2))) == [])
        let first = queue.giveUpLate(now: .seconds(4))
        #expect(first.late.numbers == [0])
        #expect(first.next == .seconds(5))
        #expect(queue.add(.numbered(2, at: .seconds(4))) == [])
        let last = queue.giveUpLate(now: .seconds(7))
        #expect(last.late.numbers == [1, 2])
        #expect(last.next == nil)
        #expect(queue.add(.numbered(3, at: .seconds(8))) == .watch)
    }

    @Test(
        "hands out each read once, and leaves none without somebody who comes for it",
        arguments: 0..<50
    )
    func complete(seed: UInt64) {
        var run = RandomRun(seed: seed)
        for _ in 0..<2_000 { run.step() }
        run.finish()
        #expect(run.handedOut.sorted() == Array(0..<run.addedCount))
    }
}

/// Whatever can happen to a queue, in any order.
private struct RandomRun {
    private var queue = ReadQueue()
    private var random: SeededNumbers
    private var now = Duration.zero
    private var beginCount = 0
    private var underWay: [Int] = []
    private var isWatched = false
    private var isHeld = false
    private(set) var addedCount = 0
    private(set) var handedOut: [Int] = []

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    mutating func step() {
        now += .milliseconds(Int.random(in: 0...8, using: &random))
        // Now and then everything that waits has waited for too long.
        if Int.random(in: 0..<50, using: &random) == 0 { now += .seconds(3) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: add(.random(in: 1...12, using: &random))
        case 5 where beginCount > 0, 6 where beginCount > 0: take()
        case 7 where !underWay.isEmpty: end()
        case 8 where isHeld: letGo()
        case 9 where isWatched: giveUp()
        default: break
        }
        #expect(underWay.count + beginCount <= ReadQueue.maximumActiveCount)
        guard !queue.waiting.isEmpty, beginCount == 0 else { return }
        #expect(isWatched)
        #expect(isHeld || underWay.count == ReadQueue.maximumActiveCount)
    }

    /// Whoever is expected comes, until there is nobody.
    mutating func finish() {
        while beginCount > 0 || !underWay.isEmpty || isHeld {
            now += ReadQueue.maximumHold
            if beginCount > 0 { take() } else if isHeld { letGo() } else { end() }
        }
        #expect(queue.waiting.isEmpty)
    }

    private mutating func add(_ count: Int) {
        for _ in 0..<count {
            follow(queue.add(.numbered(addedCount, at: now)))
            addedCount += 1
        }
    }

    private mutating func take() {
        beginCount -= 1
        handedOut += queue.removeLate(now: now).numbers
        let (reads, steps) = queue.take(now: now)
        handedOut += reads.numbers
        if !reads.isEmpty { underWay.append(reads.count) }
        follow(steps)
    }

    private mutating func end() {
        let index = Int.random(in: underWay.indices, using: &random)
        follow(queue.end(keyCount: underWay.remove(at: index), now: now))
    }

    private mutating func letGo() {
        isHeld = false
        follow(queue.letGo(now: now))
    }

    private mutating func giveUp() {
        let (late, next) = queue.giveUpLate(now: now)
        handedOut += late.numbers
        isWatched = next != nil
    }

    private mutating func follow(_ steps: ReadQueue.Steps) {
        if steps.contains(.begin) { beginCount += 1 }
        if steps.contains(.hold) { isHeld = true }
        if steps.contains(.watch) { isWatched = true }
    }
}

private struct NoReader: KeyedReader {
    func take(_ answer: Result<Row?, AccountStoreError>) {}
    func answersEnd() {}
}

extension ReadQueue {
    /// A queue with statements under way that have so many keys.
    fileprivate init(underWay counts: [Int]) {
        self.init()
        for count in counts {
            for number in 0..<count { _ = add(.numbered(number)) }
            _ = take(now: .zero)
        }
        // Their deadlines have passed.
        _ = letGo(now: .zero)
        _ = giveUpLate(now: .zero)
    }
}

extension ReadQueue.Read {
    /// A read whose key is a number, which may wait for three seconds.
    fileprivate static func numbered(_ number: Int, at start: Duration = .zero) -> Self {
        let key = Data("\(number)".utf8)
        return Self(key: key, start: start, end: start + .seconds(3), reader: NoReader())
    }
}

extension [ReadQueue.Read] {
    fileprivate var numbers: [Int] { compactMap { Int(String(decoding: $0.key, as: UTF8.self)) } }
}

import Foundation

/// The reads that wait for a statement of ``KeyedReads``, and the rules by which one begins.
///
/// A statement costs the server more to begin than to read a few rows more, and who was answered asks again one by one.
/// So a second one begins beside the first once it has as many keys, or has waited long enough.
struct ReadQueue: Sendable {
    /// How many statements are under way at the same time, each on a connection of its own.
    static let maximumActiveCount = 2
    /// How many keys a statement has.
    static let maximumKeyCount = 64
    /// How many keys are enough for two statements, which the server carries out at the same time.
    static let minimumSharedKeyCount = 8
    /// How long keys that are too few for a statement of their own wait for the one that is under way.
    static let maximumHold: Duration = .milliseconds(20)

    struct Read: Sendable {
        let key: Data
        /// When it was asked, and until when it may wait, by the clock's uptime.
        let (start, end): (Duration, Duration)
        let reader: any KeyedReader
    }

    /// What has to be done after a change.
    struct Steps: OptionSet {
        let rawValue: Int

        /// A statement begins: somebody has to take its keys.
        static let begin = Steps(rawValue: 1)
        /// A deadline has to be set at which reads are given up.
        static let watch = Steps(rawValue: 2)
        /// One has to be set at which a statement begins with what there is.
        static let hold = Steps(rawValue: 4)
    }

    private(set) var waiting: [Read] = []
    /// Statements that are under way, or about to take their keys.
    private var activeCount = 0
    /// The keys of those that are under way.
    private var activeKeyCount = 0
    /// Whether one is about to take its keys.
    private var isStarting = false
    private var isWatched = false
    private var isHeld = false

    /// Adds a read.
    mutating func add(_ read: Read) -> Steps {
        waiting.append(read)
        let steps = next(now: read.start)
        guard !steps.contains(.begin), !isWatched else { return steps }
        isWatched = true
        return steps.union(.watch)
    }

    /// Takes the keys of a statement that was begun; without any it has ended.
    ///
    /// When none is under way, many keys are for two: who was answered together asks together, and all of them in one
    /// statement would leave the server's other processors idle for as long as it takes.
    mutating func take(now: Duration) -> (reads: [Read], steps: Steps) {
        isStarting = false
        let isShared = activeKeyCount == 0 && waiting.count >= Self.minimumSharedKeyCount
        let count = min(isShared ? waiting.count / 2 : waiting.count, Self.maximumKeyCount)
        let reads = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        activeKeyCount += count
        if reads.isEmpty { activeCount -= 1 }
        return (reads, next(now: now))
    }

    /// Ends a statement.
    mutating func end(keyCount: Int, now: Duration) -> Steps {
        activeCount -= 1
        activeKeyCount -= keyCount
        return next(now: now)
    }

    /// Ends the hold: what has waited for long enough waits no longer.
    mutating func letGo(now: Duration) -> Steps {
        isHeld = false
        return next(now: now)
    }

    /// Takes out what has waited for too long; what came first stands first.
    mutating func removeLate(now: Duration) -> [Read] {
        let late = waiting.prefix { $0.end <= now }
        waiting.removeFirst(late.count)
        return Array(late)
    }

    /// Ends the watch.
    ///
    /// - Returns: what has waited for too long, and when to look again.
    mutating func giveUpLate(now: Duration) -> (late: [Read], next: Duration?) {
        let late = removeLate(now: now)
        isWatched = !waiting.isEmpty
        return (late, waiting.first?.end)
    }

    /// When a statement begins with what there is, if none has begun by then.
    var holdEnd: Duration? { waiting.first.map { $0.start + Self.maximumHold } }

    private mutating func next(now: Duration) -> Steps {
        let isLate = isHolding && holdEnd.map { $0 <= now } == true
        if isLate || isWorthStatement {
            activeCount += 1
            isStarting = true
            return .begin
        }
        guard isHolding, !isHeld else { return [] }
        isHeld = true
        return .hold
    }

    /// Whether there are enough keys for a statement beside those that are under way.
    private var isWorthStatement: Bool {
        guard !waiting.isEmpty, activeCount < Self.maximumActiveCount else { return false }
        if isStarting { return waiting.count > Self.maximumKeyCount }
        return waiting.count * activeCount >= activeKeyCount
    }

    /// Whether keys wait although a statement could begin.
    private var isHolding: Bool {
        !waiting.isEmpty && activeCount < Self.maximumActiveCount && !isStarting
    }
}

import AppleIdentity
import Foundation

/// What a store knows that the chain is continued by.
public struct AuditFacts: Hashable, Sendable {
    /// What vouches for the chain; nil when it is gone.
    public var seal: AuditSeal?
    /// The last entry that is there.
    public var last: AuditPosition?
    /// The hash of the entry whose number the caller remembers.
    public var rememberedHash: Data?
    /// Entries that wait to become part of the chain, by their names.
    public var waiting: [AuditEntry]
    /// Those of them that are in it already: they were written again by a caller whose first answer was lost.
    public var sealedBefore: Set<AuditID>

    /// Collects facts.
    ///
    /// - Parameters:
    ///   - seal: what vouches for the chain.
    ///   - last: the last entry that is there.
    ///   - rememberedHash: the hash of the entry whose number the caller remembers.
    ///   - waiting: entries that wait.
    ///   - sealedBefore: those of them that are part of the chain already.
    public init(
        seal: AuditSeal? = nil,
        last: AuditPosition? = nil,
        rememberedHash: Data? = nil,
        waiting: [AuditEntry] = [],
        sealedBefore: Set<AuditID> = []
    ) {
        self.seal = seal
        self.last = last
        self.rememberedHash = rememberedHash
        self.waiting = waiting
        self.sealedBefore = sealedBefore
    }
}

/// Entries that wait become part of the chain, and a new seal vouches for it.
public struct AuditSealing: Sendable {
    /// Seconds after which a seal is made anew, so that an old one that was put back is told by its age, and an old
    /// key can be dropped soon.
    public static let sealInterval: TimeInterval = 60

    /// The keys.
    public let keys: AuditKeys
    /// The end of the chain as this process left it; nil when it has not seen it.
    public let remembered: AuditPosition?
    /// How many entries one transaction may take.
    public let maximumCount: Int
    /// Whether the chain begins anew behind what is there, whatever that is.
    public let restarts: Bool
    /// The time.
    public let now: Date

    /// Describes a sealing.
    ///
    /// - Parameters:
    ///   - keys: the keys.
    ///   - remembered: the end of the chain as this process left it.
    ///   - maximumCount: how many entries one transaction may take.
    ///   - restarts: whether the chain begins anew behind what is there.
    ///   - now: the time.
    public init(
        keys: AuditKeys,
        remembered: AuditPosition?,
        maximumCount: Int,
        restarts: Bool = false,
        now: Date
    ) {
        self.keys = keys
        self.remembered = remembered
        self.maximumCount = maximumCount
        self.restarts = restarts
        self.now = now.inWholeMicroseconds
    }

    /// The same for one entry: whoever checks whether there is something to do needs to see no more.
    public var look: AuditSealing {
        AuditSealing(
            keys: keys,
            remembered: remembered,
            maximumCount: 1,
            restarts: restarts,
            now: now
        )
    }

    /// Whether there is nothing to do but to look.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: true when nothing waits and the seal is young.
    public func isIdle(given facts: AuditFacts) -> Bool {
        guard !restarts, facts.waiting.isEmpty, let seal = facts.seal else { return false }
        return abs(now.timeIntervalSince(seal.sealedAt)) < Self.sealInterval
            && fault(given: facts) == nil && seal.isSignedByFirstKey(of: keys)
    }

    /// Decides how the chain goes on; one that was altered is left as it is, for whoever looks.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the new seal, or what is wrong.
    public func decision(given facts: AuditFacts) -> Decision<AuditSealingOutcome> {
        if isIdle(given: facts), let seal = facts.seal { return Decision(.sealed(seal, count: 0)) }
        if !restarts, let fault = fault(given: facts) { return Decision(.altered(fault)) }
        let start = start(given: facts)
        var head = restarts ? start.checkpoint : start.head
        var sealed: [SealedAuditEntry] = []
        let batch = facts.waiting.prefix(maximumCount)
        for entry in batch where !facts.sealedBefore.contains(entry.id) {
            let next = SealedAuditEntry(entry, proof: entry.proof(keys), behind: head)
            head = next.position
            sealed.append(next)
        }
        let seal = AuditSeal(
            startedAt: start.startedAt,
            checkpoint: start.checkpoint,
            head: head,
            at: now,
            by: keys
        )
        let repeated = batch.map(\.id).filter(facts.sealedBefore.contains)
        return Decision(
            .sealed(seal, count: sealed.count),
            [.sealAudit(sealed, seal)] + repeated.map { .removeWaitingAudit($0) }
        )
    }

    /// Where the chain goes on.
    private func start(
        given facts: AuditFacts
    ) -> (startedAt: Date, checkpoint: AuditPosition, head: AuditPosition) {
        if let seal = facts.seal, !seal.isBlank, !restarts {
            return (seal.startedAt, seal.checkpoint, seal.head)
        }
        // A number is given once, whatever became of the entry that had it.
        let number = max(facts.last?.number ?? 0, facts.seal?.head.number ?? 0)
        let hash = facts.last?.number == number ? facts.last?.hash : nil
        let position = AuditPosition(number: number, hash: hash ?? AuditPosition.start.hash)
        return (now, position, position)
    }

    private func fault(given facts: AuditFacts) -> AuditFault? {
        guard let seal = facts.seal else { return .sealMissing }
        guard seal.isBlank ? facts.last == nil : seal.isSigned(by: keys) else {
            return .sealInvalid
        }
        // What an earlier chain has left does not count.
        let last = facts.last.flatMap { $0.number > seal.checkpoint.number ? $0 : nil }
        guard (last ?? seal.checkpoint) == seal.head else { return .endAltered }
        guard let remembered else { return nil }
        if seal.head.number < remembered.number { return .putBack }
        // What was forgotten since can't be compared any more.
        guard remembered.number > seal.checkpoint.number else { return nil }
        return facts.rememberedHash == remembered.hash ? nil : .putBack
    }
}

/// What came of a sealing.
public enum AuditSealingOutcome: Hashable, Sendable {
    /// The chain ends as the seal says; so many entries are new in it.
    case sealed(AuditSeal, count: Int)
    /// Somebody has changed the chain; nothing was done.
    case altered(AuditFault)
}

/// What somebody has done to the audit log without the keys.
public enum AuditFault: String, CaseIterable, Error, Hashable, Sendable {
    /// The row that vouches for the chain is gone.
    case sealMissing = "seal_missing"
    /// It is not signed by a key that is configured.
    case sealInvalid = "seal_invalid"
    /// The last entry is another one than the seal says: some are gone, or were added.
    case endAltered = "end_altered"
    /// The chain is an older one, or another one, than this process has seen.
    case putBack = "put_back"
    /// An entry, or the one before it, was changed.
    case entryAltered = "entry_altered"
    /// An entry is gone from the middle.
    case entryMissing = "entry_missing"
    /// An entry was changed, or made by somebody without the keys, in the seconds before it became part of the chain.
    case entryForged = "entry_forged"
    /// The end of the chain that was written down elsewhere is not in it.
    case headUnknown = "head_unknown"
}

/// Entries that are old enough are forgotten, and the chain begins behind them.
public struct AuditExpiry: Sendable {
    /// The keys.
    public let keys: AuditKeys
    /// What happened before that is forgotten.
    public let limit: Date
    /// How many entries one transaction may forget.
    public let maximumCount: Int
    /// The time.
    public let now: Date

    /// Describes an expiry.
    ///
    /// - Parameters:
    ///   - keys: the keys.
    ///   - limit: what happened before that is forgotten.
    ///   - maximumCount: how many entries one transaction may forget.
    ///   - now: the time.
    public init(keys: AuditKeys, limit: Date, maximumCount: Int, now: Date) {
        self.keys = keys
        self.limit = limit.inWholeMicroseconds
        self.maximumCount = maximumCount
        self.now = now.inWholeMicroseconds
    }

    /// Decides what is forgotten; entries that were altered stay, for whoever looks.
    ///
    /// - Parameters:
    ///   - seal: what vouches for the chain.
    ///   - oldest: the oldest entries of the chain, in its order.
    /// - Returns: how many are forgotten, or what is wrong.
    public func decision(
        given seal: AuditSeal?,
        oldest: [SealedAuditEntry]
    ) -> Decision<AuditExpiryOutcome> {
        let old = oldest.prefix(maximumCount).prefix { $0.entry.occurredAt < limit }
        guard !old.isEmpty else { return Decision(.forgotten(0)) }
        guard let seal else { return Decision(.altered(.sealMissing)) }
        guard seal.isSigned(by: keys) else { return Decision(.altered(.sealInvalid)) }
        var position = seal.checkpoint
        for entry in old {
            guard entry.follows(position) else { return Decision(.altered(.entryAltered)) }
            position = entry.position
        }
        guard position.number <= seal.head.number else { return Decision(.altered(.endAltered)) }
        let next = AuditSeal(
            startedAt: seal.startedAt,
            checkpoint: position,
            head: seal.head,
            at: now,
            by: keys
        )
        return Decision(.forgotten(old.count), [.forgetAudit(through: position.number, next)])
    }
}

/// What came of an expiry.
public enum AuditExpiryOutcome: Hashable, Sendable {
    /// So many entries are gone.
    case forgotten(Int)
    /// Somebody has changed the chain; nothing was done.
    case altered(AuditFault)
}

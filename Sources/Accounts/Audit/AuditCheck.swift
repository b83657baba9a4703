import AppleIdentity
import Foundation

/// A part of the audit log as it is at one moment.
public struct AuditPart: Hashable, Sendable {
    /// What vouches for the chain; nil when it is gone.
    public var seal: AuditSeal?
    /// Some entries of the chain, in its order.
    public var entries: [SealedAuditEntry]
    /// The entry whose number was asked for besides, if it is there.
    public var asked: AuditPosition?
    /// How many entries wait to become part of the chain.
    public var waitingCount: Int

    /// Collects a part.
    ///
    /// - Parameters:
    ///   - seal: what vouches for the chain.
    ///   - entries: some entries of the chain, in its order.
    ///   - asked: the entry whose number was asked for besides.
    ///   - waitingCount: how many entries wait.
    public init(
        seal: AuditSeal?,
        entries: [SealedAuditEntry],
        asked: AuditPosition? = nil,
        waitingCount: Int = 0
    ) {
        self.seal = seal
        self.entries = entries
        self.asked = asked
        self.waitingCount = waitingCount
    }
}

/// One step of checking the chain from its beginning to its end.
public struct AuditCheck: Sendable {
    /// The keys.
    public let keys: AuditKeys
    /// Behind which entry to go on; nil for the beginning.
    public let after: AuditPosition?
    /// The end of the chain as it was written down elsewhere, to be looked for; nil for none.
    public let expected: AuditPosition?
    /// How many entries to look at.
    public let maximumCount: Int

    /// Describes a step.
    ///
    /// - Parameters:
    ///   - keys: the keys.
    ///   - after: behind which entry to go on.
    ///   - expected: the end of the chain as it was written down elsewhere.
    ///   - maximumCount: how many entries to look at.
    public init(
        keys: AuditKeys,
        after: AuditPosition?,
        expected: AuditPosition?,
        maximumCount: Int
    ) {
        self.keys = keys
        self.after = after
        self.expected = expected
        self.maximumCount = maximumCount
    }

    /// Checks a part of the chain.
    ///
    /// - Parameter part: what the store has behind the position.
    /// - Returns: what was found, and where to go on.
    public func step(given part: AuditPart) -> AuditCheckStep {
        var step = AuditCheckStep(seal: part.seal, waitingCount: part.waitingCount)
        guard let seal = part.seal else {
            step.findings = [AuditFinding(.sealMissing)]
            return step
        }
        if seal.isBlank {
            if !part.entries.isEmpty { step.findings.append(AuditFinding(.sealInvalid)) }
        } else if !seal.isSigned(by: keys) {
            step.findings.append(AuditFinding(.sealInvalid))
        }
        if let expected, isMissing(expected, in: part, seal) {
            step.findings.append(AuditFinding(.headUnknown, number: expected.number))
        }
        // What was forgotten since the step before needs no check any more.
        var position = after ?? seal.checkpoint
        if position.number < seal.checkpoint.number { position = seal.checkpoint }
        for entry in part.entries {
            step.check(entry, behind: position)
            position = entry.position
        }
        if part.entries.count >= maximumCount {
            step.next = position
        } else if position != seal.head {
            step.findings.append(AuditFinding(.endAltered, number: seal.head.number))
        }
        return step
    }

    private func isMissing(
        _ expected: AuditPosition,
        in part: AuditPart,
        _ seal: AuditSeal
    ) -> Bool {
        if expected == seal.checkpoint || expected == .start { return false }
        // The hash of one that was forgotten since is not known any more.
        if expected.number < seal.checkpoint.number { return false }
        return part.asked != expected
    }
}

/// What one step has found.
public struct AuditCheckStep: Hashable, Sendable {
    /// How many findings are told; more would be of the same cause.
    static let maximumFindingCount = 100

    /// What vouches for the chain.
    public var seal: AuditSeal?
    /// How many entries wait to become part of the chain.
    public var waitingCount: Int
    /// How many entries were looked at.
    public var checkedCount = 0
    /// How many of them were written by a process without the keys.
    public var unsignedCount = 0
    /// What is wrong.
    public var findings: [AuditFinding] = []
    /// Where to go on; nil at the end.
    public var next: AuditPosition?

    init(seal: AuditSeal?, waitingCount: Int) {
        self.seal = seal
        self.waitingCount = waitingCount
    }

    fileprivate mutating func check(_ entry: SealedAuditEntry, behind position: AuditPosition) {
        checkedCount += 1
        if entry.position.number != position.number &+ 1 {
            note(.entryMissing, entry)
        } else if !entry.follows(position) {
            note(.entryAltered, entry)
        }
        switch AuditProof(rawValue: entry.proof) {
        case .signed, nil: break
        case .unsigned: unsignedCount += 1
        case .altered: note(.entryForged, entry)
        }
    }

    fileprivate mutating func note(_ fault: AuditFault, _ entry: SealedAuditEntry) {
        guard findings.count < Self.maximumFindingCount else { return }
        findings.append(AuditFinding(fault, number: entry.position.number))
    }
}

/// Something wrong with the audit log.
public struct AuditFinding: Hashable, Sendable {
    /// What is wrong.
    public let fault: AuditFault
    /// At which entry; nil when it is about none.
    public let number: Int?

    init(_ fault: AuditFault, number: Int? = nil) {
        self.fault = fault
        self.number = number
    }
}

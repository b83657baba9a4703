import AppleIdentity
import Foundation

/// A place in the chain: an entry's number, and the hash that stands for it and all before it.
public struct AuditPosition: Hashable, Sendable {
    /// Before the first entry.
    public static let start = AuditPosition(number: 0, hash: Data(count: hashByteCount))
    /// Bytes of a hash.
    public static let hashByteCount = 32

    /// The number; the first entry has 1.
    public let number: Int
    /// The hash.
    public let hash: Data

    /// Names a place.
    ///
    /// - Parameters:
    ///   - number: the entry's number.
    ///   - hash: the hash that stands for it and all before it.
    public init(number: Int, hash: Data) {
        self.number = number
        self.hash = hash
    }

    var parts: [String?] { ["\(number)", Hexadecimal.encode(hash)] }
}

extension AuditPosition: LosslessStringConvertible {
    /// The number and the hash in hexadecimal digits, with a colon between them.
    public var description: String { "\(number):\(Hexadecimal.encode(hash))" }

    /// Reads a place; nil when the text is none.
    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), number >= 0,
            parts[1].utf8.count == 2 * Self.hashByteCount
        else { return nil }
        var hash = Data()
        var rest = parts[1][...]
        while !rest.isEmpty {
            guard rest.allSatisfy(\.isHexDigit), let byte = UInt8(rest.prefix(2), radix: 16) else {
                return nil
            }
            hash.append(byte)
            rest = rest.dropFirst(2)
        }
        self.init(number: number, hash: hash)
    }
}

/// An entry that is part of the chain.
public struct SealedAuditEntry: Hashable, Sendable {
    /// The entry.
    public let entry: AuditEntry
    /// A word of `AuditProof`: what was found of the entry before.
    public let proof: String
    /// Its place.
    public let position: AuditPosition

    /// Describes an entry as a store kept it.
    ///
    /// - Parameters:
    ///   - entry: the entry.
    ///   - proof: what was found of it.
    ///   - position: its place.
    public init(entry: AuditEntry, proof: String, position: AuditPosition) {
        self.entry = entry
        self.proof = proof
        self.position = position
    }

    /// Puts an entry behind another one.
    init(_ entry: AuditEntry, proof: AuditProof, behind previous: AuditPosition) {
        self.entry = entry
        self.proof = proof.rawValue
        // A number from the database may be any.
        let number = previous.number &+ 1
        position = AuditPosition(
            number: number,
            hash: Self.hash(entry, proof.rawValue, number, previous.hash)
        )
    }

    /// Whether the hash is that of the entry behind another one.
    func follows(_ previous: AuditPosition) -> Bool {
        position.number == previous.number &+ 1
            && position.hash == Self.hash(entry, proof, position.number, previous.hash)
    }

    private static func hash(
        _ entry: AuditEntry,
        _ proof: String,
        _ number: Int,
        _ previous: Data
    ) -> Data {
        let code = entry.code.map { Hexadecimal.encode($0) }
        return AuditText.hash(
            ["link 1", "\(number)", Hexadecimal.encode(previous), proof, code] + entry.parts
        )
    }
}

/// What vouches for the chain: where it begins and ends, signed by a key that is not in the database.
public struct AuditSeal: Hashable, Sendable {
    /// When the chain began.
    public let startedAt: Date
    /// Behind which entry it is kept; those before were forgotten.
    public let checkpoint: AuditPosition
    /// Its last entry.
    public let head: AuditPosition
    /// When the seal was made.
    public let sealedAt: Date
    /// The signature; nil of a new database.
    public let code: Data?

    /// Describes a seal as a store kept it.
    ///
    /// - Parameters:
    ///   - startedAt: when the chain began.
    ///   - checkpoint: behind which entry it is kept.
    ///   - head: its last entry.
    ///   - sealedAt: when the seal was made.
    ///   - code: the signature.
    public init(
        startedAt: Date,
        checkpoint: AuditPosition,
        head: AuditPosition,
        sealedAt: Date,
        code: Data?
    ) {
        self.startedAt = startedAt
        self.checkpoint = checkpoint
        self.head = head
        self.sealedAt = sealedAt
        self.code = code
    }

    /// Makes a seal.
    init(
        startedAt: Date,
        checkpoint: AuditPosition,
        head: AuditPosition,
        at now: Date,
        by keys: AuditKeys
    ) {
        let parts = Self.parts(startedAt, checkpoint, head, now)
        self.init(
            startedAt: startedAt,
            checkpoint: checkpoint,
            head: head,
            sealedAt: now,
            code: keys.code(of: Self.purpose, parts)
        )
    }

    /// Whether the database has never had a chain.
    var isBlank: Bool { code == nil && head == .start && checkpoint == .start }

    func isSigned(by keys: AuditKeys) -> Bool {
        code.map { keys.isCode($0, of: Self.purpose, parts) } ?? false
    }

    func isSignedByFirstKey(of keys: AuditKeys) -> Bool {
        code.map { keys.isCurrent($0, of: Self.purpose, parts) } ?? false
    }

    private static let purpose = "seal 1"

    private var parts: [String?] { Self.parts(startedAt, checkpoint, head, sealedAt) }

    private static func parts(
        _ startedAt: Date,
        _ checkpoint: AuditPosition,
        _ head: AuditPosition,
        _ sealedAt: Date
    ) -> [String?] {
        ["\(startedAt.microseconds)"] + checkpoint.parts + head.parts
            + ["\(sealedAt.microseconds)"]
    }
}

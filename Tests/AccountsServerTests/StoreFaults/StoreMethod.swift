import Foundation

/// Every method of `AccountStore` that queries its database.
enum StoreMethod: String, CaseIterable, Sendable {
    case beginSignIn, completeSignIn, applyEvent
    case createAccount, beginPasswordCheck, completePasswordSignIn, requestPasswordReset, mailToken
    case issueAppCode, redeemAppCode
    case session, sessionByID, sessions, recordUses, endSession, endSessions
    case account, rename, change, export, deleteAccount
    case claimValidations, oldestDueValidation, postpone, applyTokenEnd
    case claimEntries, finishEntry, requeueRefusedEntries, makeFailedEntriesDue, outboxBacklog
    case markRelayAddress
    case checkWriting, clock, forgetExpired, wipeTraces
    case accounts, namedAccounts, sealedValues, reseal, sealingKeys, backUp
    case transfer, transferStates, transferState
    case record, auditEntries, forgetAuditEntries
    case tokenKeys, rotateTokenKeys

    /// Methods that commit nothing, so no response to a commit can be lost.
    private static let reads: Set<StoreMethod> = [
        .mailToken, .session, .sessionByID, .sessions, .account, .export, .outboxBacklog, .clock,
        .accounts,
        .backUp, .transferStates, .transferState, .auditEntries, .tokenKeys, .namedAccounts,
        .sealedValues, .sealingKeys, .oldestDueValidation,
    ]

    /// The possible failures of a call.
    var faults: [StoreFault.Kind] {
        Self.reads.contains(self) ? [.unavailable] : StoreFault.Kind.allCases
    }

    /// The method's name in the protocol, which some of them share.
    var functionName: String {
        switch self {
        case .applyEvent, .applyTokenEnd: "apply"
        case .sessionByID: "session"
        default: rawValue
        }
    }
}

extension StoreMethod {
    /// The names of the methods that the store's protocols declare in their source.
    static func declaredNames() throws -> [String] {
        let sources = URL(filePath: #filePath)
            .deletingLastPathComponent().appending(path: "../../../Sources/Accounts")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        let swift = (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
        return try swift.flatMap { declaredNames(in: try String(contentsOf: $0, encoding: .utf8)) }
    }

    private static func declaredNames(in source: String) -> [String] {
        // A protocol ends at the first brace that is not indented.
        let protocols = source.matches(
            of: /\npackage protocol (?:\w+Store|AccountDirectory): Sendable \{\n(.*?)\n\}/
                .dotMatchesNewlines()
        )
        return protocols.flatMap { found in
            found.1.matches(of: /\n    func (\w+)\([^{}]*?\)( async)?/.dotMatchesNewlines())
                .filter { $0.2 != nil }
                .map { String($0.1) }
        }
    }
}

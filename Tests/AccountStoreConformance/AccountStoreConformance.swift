import Foundation

@testable import Accounts

/// The checks that every store passes; each check runs on an empty store.
package enum AccountStoreConformance {
    /// A named check.
    package struct Check: Sendable, CustomStringConvertible {
        /// The requirement, as a sentence.
        package let name: String
        /// Runs the check on an empty store; throws ``Failure`` when the store does not pass it.
        package let run: @Sendable (AccountStore) async throws -> Void

        init(_ name: String, run: @escaping @Sendable (AccountStore) async throws -> Void) {
            (self.name, self.run) = (name, run)
        }

        package var description: String { name }
    }

    /// A requirement that a store does not fulfil.
    package struct Failure: Error, CustomStringConvertible {
        /// The file, the line and the requirement.
        package let description: String
    }

    static let start = SampleSignIn.start

    /// All checks.
    package static let checks: [Check] =
        signInChecks + nonceChecks + sessionChecks + accountChecks + outboxChecks + eventChecks
        + passwordChecks + appCodeChecks + changeChecks + repeatedChangeChecks + repeatedEndChecks
        + undoChecks
        + strangerChecks + validationChecks
        + addressChecks + formerAddressChecks + supersededChecks + endedConsentChecks
        + concurrencyChecks
        + maintenanceChecks
        + administrationChecks + transferChecks + auditChecks + tokenKeyChecks
}

extension AccountStore {
    /// Performs both steps of a sign-in that is expected to succeed.
    @discardableResult
    package func signIn(
        _ sample: SampleSignIn
    ) async throws -> (signedIn: SignedInSession, isNewAccount: Bool) {
        try expect(try await beginSignIn(sample.check) == nil, "the sign-in was refused")
        let signedIn = try await completeSignIn(sample.commit).get()
        return (signedIn, isNewAccount: signedIn.account.id == sample.newAccountID)
    }

    /// Replaces an account's name and returns the account; nil when there is no such account.
    package func rename(
        _ account: AccountID,
        to name: AccountName?
    ) async throws(AccountStoreError) -> Account? {
        let isWhole = name?.givenName == nil && name?.familyName == nil
        let change: NameChange =
            isWhole
            ? .whole(name?.text)
            : .parts(givenName: name?.givenName, familyName: name?.familyName)
        let result = try await changeProfile(of: account, ProfileChange(name: change))
        return try? result.get()
    }

    func create(_ sample: SamplePassword = SamplePassword()) async throws -> SamplePassword {
        try expect(try await createAccount(sample.creation).isSignedIn)
        return sample
    }

    func session(
        of sample: SampleSignIn,
        now: Date = SampleSignIn.start
    ) async throws -> SignedInSession? {
        try await session(tokenHash: sample.token.hash, now: now)
    }

    func refusal(completing sample: SampleSignIn) async throws -> AccountsError? {
        let outcome = try await completeSignIn(sample.commit)
        return if case .failure(let refusal) = outcome { refusal } else { nil }
    }
}

extension SignInOutcome {
    var isSignedIn: Bool { account != nil }

    var account: Account? { (try? get())?.account }
}

func expect(
    _ isSo: Bool,
    _ what: String = "an expectation failed",
    file: StaticString = #fileID,
    line: UInt = #line
) throws {
    guard isSo else {
        throw AccountStoreConformance.Failure(description: "\(file):\(line): \(what)")
    }
}

func require<Value>(
    _ value: Value?,
    file: StaticString = #fileID,
    line: UInt = #line
) throws -> Value {
    guard let value else {
        throw AccountStoreConformance.Failure(
            description: "\(file):\(line): a required value is missing"
        )
    }
    return value
}

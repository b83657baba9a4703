import Accounts
import Foundation

// MARK: SignInStore

extension FailingStore {
    func beginSignIn(_ attempt: SignInAttempt) async throws(Failure) -> SignInRefusal? {
        try await call(.beginSignIn, try await store.beginSignIn(attempt))
    }

    func completeSignIn(_ completion: SignInCompletion) async throws(Failure) -> SignInOutcome {
        try await call(.completeSignIn, try await store.completeSignIn(completion))
    }

    func apply(_ event: AppleEvent) async throws(Failure) -> AppleEventOutcome {
        try await call(.applyEvent, try await store.apply(event))
    }
}

// MARK: PasswordStore

extension FailingStore {
    func createAccount(_ creation: AccountCreation) async throws(Failure) -> PasswordOutcome {
        try await call(.createAccount, try await store.createAccount(creation))
    }

    func beginPasswordCheck(_ attempt: PasswordAttempt) async throws(Failure) -> PasswordChallenge {
        try await call(.beginPasswordCheck, try await store.beginPasswordCheck(attempt))
    }

    func completePasswordSignIn(_ signIn: PasswordSignIn) async throws(Failure) -> PasswordOutcome {
        try await call(.completePasswordSignIn, try await store.completePasswordSignIn(signIn))
    }

    func requestPasswordReset(_ request: PasswordResetRequest) async throws(Failure)
        -> PasswordResetOutcome
    {
        try await call(.requestPasswordReset, try await store.requestPasswordReset(request))
    }

    func mailToken(_ hash: SecretHash, now: Date) async throws(Failure) -> (
        token: MailToken, account: Account
    )? {
        try await call(.mailToken, try await store.mailToken(hash, now: now))
    }
}

// MARK: AppCodeStore

extension FailingStore {
    func issueAppCode(_ issue: AppCodeIssue) async throws(Failure) -> Bool {
        try await call(.issueAppCode, try await store.issueAppCode(issue))
    }

    func redeemAppCode(_ redemption: AppCodeRedemption) async throws(Failure) -> AppCodeOutcome {
        try await call(.redeemAppCode, try await store.redeemAppCode(redemption))
    }
}

// MARK: SessionStore

extension FailingStore {
    func session(tokenHash: SecretHash, now: Date) async throws(Failure) -> SignedInSession? {
        try await call(.session, try await store.session(tokenHash: tokenHash, now: now))
    }

    func session(_ id: SessionID, now: Date) async throws(Failure) -> Session? {
        try await call(.sessionByID, try await store.session(id, now: now))
    }

    func sessions(of account: AccountID, now: Date) async throws(Failure) -> [Session] {
        try await call(.sessions, try await store.sessions(of: account, now: now))
    }

    func recordUses(_ uses: [SessionUse]) async throws(Failure) {
        try await call(.recordUses, try await store.recordUses(uses))
    }

    func endSession(_ session: SessionID, of account: AccountID, audit: AuditContext?, now: Date)
        async throws(Failure) -> Bool
    {
        try await call(
            .endSession,
            try await store.endSession(session, of: account, audit: audit, now: now)
        )
    }

    func endSessions(
        of account: AccountID,
        except session: SessionID?,
        audit: AuditContext?,
        now: Date
    ) async throws(Failure) -> Int {
        try await call(
            .endSessions,
            try await store.endSessions(of: account, except: session, audit: audit, now: now)
        )
    }
}

// MARK: AccountDirectory

extension FailingStore {
    func account(_ id: AccountID) async throws(Failure) -> Account? {
        try await call(.account, try await store.account(id))
    }

    func rename(_ account: AccountID, _ change: NameChange) async throws(Failure)
        -> Result<Account, AccountsError>
    {
        try await call(.rename, try await store.rename(account, change))
    }

    func change(_ change: AccountChange) async throws(Failure) -> AccountChangeOutcome {
        try await call(.change, try await store.change(change))
    }

    func export(_ account: AccountID, now: Date) async throws(Failure) -> AccountExport? {
        try await call(.export, try await store.export(account, now: now))
    }

    func deleteAccount(_ deletion: AccountDeletion) async throws(Failure)
        -> AccountDeletionOutcome
    {
        try await call(.deleteAccount, try await store.deleteAccount(deletion))
    }
}

import Accounts
import AppleIdentity
import Foundation

// MARK: SignInStore

extension FailingStore {
    func beginSignIn(_ attempt: SignInAttempt) async throws(AccountStoreError) -> SignInRefusal? {
        try await call(.beginSignIn, try await store.beginSignIn(attempt))
    }

    func completeSignIn(_ completion: SignInCompletion) async throws(AccountStoreError)
        -> SignInOutcome
    {
        try await call(.completeSignIn, try await store.completeSignIn(completion))
    }

    func apply(_ event: AppleEvent) async throws(AccountStoreError) -> AppleEventOutcome {
        try await call(.applyEvent, try await store.apply(event))
    }
}

// MARK: PasswordStore

extension FailingStore {
    func createAccount(_ creation: AccountCreation) async throws(AccountStoreError)
        -> PasswordOutcome
    {
        try await call(.createAccount, try await store.createAccount(creation))
    }

    func beginPasswordCheck(_ attempt: PasswordAttempt) async throws(AccountStoreError)
        -> PasswordChallenge
    {
        try await call(.beginPasswordCheck, try await store.beginPasswordCheck(attempt))
    }

    func completePasswordSignIn(_ signIn: PasswordSignIn) async throws(AccountStoreError)
        -> PasswordOutcome
    {
        try await call(.completePasswordSignIn, try await store.completePasswordSignIn(signIn))
    }

    func requestPasswordReset(_ request: PasswordResetRequest) async throws(AccountStoreError)
        -> PasswordResetOutcome
    {
        try await call(.requestPasswordReset, try await store.requestPasswordReset(request))
    }

    func mailToken(_ hash: SecretHash, now: Date) async throws(AccountStoreError) -> (
        token: MailToken, account: Account
    )? {
        try await call(.mailToken, try await store.mailToken(hash, now: now))
    }
}

// MARK: AppCodeStore

extension FailingStore {
    func issueAppCode(_ issue: AppCodeIssue) async throws(AccountStoreError) -> Bool {
        try await call(.issueAppCode, try await store.issueAppCode(issue))
    }

    func redeemAppCode(_ redemption: AppCodeRedemption) async throws(AccountStoreError)
        -> AppCodeOutcome
    {
        try await call(.redeemAppCode, try await store.redeemAppCode(redemption))
    }
}

// MARK: SessionStore

extension FailingStore {
    func session(tokenHash: SecretHash, now: Date) async throws(AccountStoreError)
        -> SignedInSession?
    {
        try await call(.session, try await store.session(tokenHash: tokenHash, now: now))
    }

    func sessions(of account: AccountID, now: Date) async throws(AccountStoreError) -> [Session] {
        try await call(.sessions, try await store.sessions(of: account, now: now))
    }

    func recordUses(_ uses: [SessionUse]) async throws(AccountStoreError) {
        try await call(.recordUses, try await store.recordUses(uses))
    }

    func endSession(_ session: SessionID, of account: AccountID, audit: AuditContext?, now: Date)
        async throws(AccountStoreError) -> Bool
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
    ) async throws(AccountStoreError) -> Int {
        try await call(
            .endSessions,
            try await store.endSessions(of: account, except: session, audit: audit, now: now)
        )
    }
}

// MARK: AccountDirectory

extension FailingStore {
    func account(_ id: AccountID) async throws(AccountStoreError) -> Account? {
        try await call(.account, try await store.account(id))
    }

    func rename(_ account: AccountID, to name: AccountName?) async throws(AccountStoreError)
        -> Account?
    {
        try await call(.rename, try await store.rename(account, to: name))
    }

    func change(_ change: AccountChange) async throws(AccountStoreError) -> AccountChangeOutcome {
        try await call(.change, try await store.change(change))
    }

    func export(_ account: AccountID, now: Date) async throws(AccountStoreError) -> AccountExport? {
        try await call(.export, try await store.export(account, now: now))
    }

    func deleteAccount(_ deletion: AccountDeletion) async throws(AccountStoreError)
        -> AccountDeletionOutcome
    {
        try await call(.deleteAccount, try await store.deleteAccount(deletion))
    }
}

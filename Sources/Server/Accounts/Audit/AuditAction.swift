/// An action in the audit log; the meaning of a raw value never changes.
package enum AuditAction: String, CaseIterable, Hashable, Sendable {
    /// An account was created with its first session; the detail is how the user signed in.
    case accountCreated = "account_created"
    /// An account was deleted.
    case accountDeleted = "account_deleted"
    /// A session was created; the detail is how the user signed in.
    case signIn = "sign_in"
    /// A sign-in was refused; the detail is the code of the refusal.
    case signInRefused = "sign_in_refused"
    /// The user signed out of the session.
    case signOut = "sign_out"
    /// A session was ended by another session or by an administrator.
    case sessionEnded = "session_ended"
    /// All sessions, or all but the requesting one, were ended; the detail is their number.
    case sessionsEnded = "sessions_ended"
    /// A password was set or changed; all other sessions ended.
    case passwordChanged = "password_changed"
    /// The password and the username were removed; all other sessions ended.
    case passwordRemoved = "password_removed"
    /// A password was set with the link of a mail; all sessions ended.
    case passwordReset = "password_reset"
    /// A password reset link was sent to the account's email address.
    case passwordResetRequested = "password_reset_requested"
    /// An Apple identity was linked to the account.
    case appleLinked = "apple_linked"
    /// The Apple identity was unlinked from the account.
    case appleUnlinked = "apple_unlinked"
    /// The user stopped using the app at Apple; the detail is how the server found out.
    case consentEnded = "consent_ended"
    /// Apple reported whether it forwards the user's mail; the detail is the event.
    case mailForwardingChanged = "mail_forwarding_changed"
    /// A verification link was sent to another email address.
    case emailChangeRequested = "email_change_requested"
    /// The pending email address was dropped.
    case emailChangeCancelled = "email_change_cancelled"
    /// Another email address was verified and is the account's now.
    case emailChanged = "email_changed"
    /// A change was undone with the link of a mail, and all sessions ended; the detail is what was restored.
    case changeUndone = "change_undone"
    /// The user exported their data.
    case export
    /// An administrator listed accounts.
    case accountsListed = "accounts_listed"
    /// An administrator looked at one account.
    case accountViewed = "account_viewed"
    /// An administrator looked at the audit log.
    case auditRead = "audit_read"
    /// An administrator's command was refused; the detail is the code.
    case administrationRefused = "administration_refused"
    /// An administrator exported transfer identifiers; the detail is the recipient team and their number.
    case transferExported = "transfer_exported"
    /// An administrator imported transfer identifiers; the detail is the team and their number.
    case transferImported = "transfer_imported"
    /// A backup began, or a copy into another database; the detail of a copy is the kind of both databases.
    case databaseCopied = "database_copied"
    /// Encrypting the secrets again with the first key began.
    case secretsResealed = "secrets_resealed"
    /// A key of access tokens was created; the detail is its identifier, and whether it signs immediately.
    case tokenKeysRotated = "token_keys_rotated"
    /// A request to introspect a token was refused; the detail is the service that it named, if there is such a service.
    case introspectionRefused = "introspection_refused"
    /// Too many refusals came at once; the detail is the number of those that were not recorded.
    case refusalsSkipped = "refusals_skipped"

    /// The actions of administrators that change nothing.
    static let reads = Set([accountsListed, accountViewed, auditRead].map(\.rawValue))
}

/// The kind of actor in the audit log.
package enum AuditActor: String, CaseIterable, Hashable, Sendable {
    /// The user of the account, with a sign-in, a session, or the link of a mail.
    case person
    /// An administrator, who runs commands on the server's machine.
    case administrator
    /// An unauthenticated client.
    case stranger
    /// Apple, with a notification or a response about a token.
    case apple
    /// The server itself.
    case server
}

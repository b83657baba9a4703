/// What the audit log tells of; a word never changes its meaning.
package enum AuditAction: String, CaseIterable, Hashable, Sendable {
    /// An account was made, and its first session opened; the detail is the way.
    case accountCreated = "account_created"
    /// An account is gone.
    case accountDeleted = "account_deleted"
    /// A session was opened; the detail is the way.
    case signIn = "sign_in"
    /// A sign-in was refused; the detail is the code of the refusal.
    case signInRefused = "sign_in_refused"
    /// The session that asked has ended.
    case signOut = "sign_out"
    /// One session was ended by another one, or by an administrator.
    case sessionEnded = "session_ended"
    /// All sessions were ended, or all but the one that asked; the detail is their number.
    case sessionsEnded = "sessions_ended"
    /// A password was set, the first or another one; all other sessions have ended.
    case passwordChanged = "password_changed"
    /// A password was set by the link of a mail; all sessions have ended.
    case passwordReset = "password_reset"
    /// A link that sets the password was sent to the account's address.
    case passwordResetRequested = "password_reset_requested"
    /// An Apple identity opens the account from then on.
    case appleLinked = "apple_linked"
    /// The Apple identity opens it no longer.
    case appleUnlinked = "apple_unlinked"
    /// The person stopped using the app at Apple; the detail is how that was learnt.
    case consentEnded = "consent_ended"
    /// Apple told whether it forwards the person's mail; the detail is the event.
    case mailForwardingChanged = "mail_forwarding_changed"
    /// A link that proves another address was sent to it.
    case emailChangeRequested = "email_change_requested"
    /// The address that waited to be proved was dropped.
    case emailChangeCancelled = "email_change_cancelled"
    /// Another address was proved, and is the account's.
    case emailChanged = "email_changed"
    /// All that is kept about the person was given to them.
    case export
    /// An administrator listed accounts.
    case accountsListed = "accounts_listed"
    /// An administrator looked at one account.
    case accountViewed = "account_viewed"
    /// An administrator looked at the audit log.
    case auditRead = "audit_read"
    /// An administrator's command was refused; the detail is the code.
    case administrationRefused = "administration_refused"
    /// An administrator asked Apple for the transfer identifiers of people; the detail is the recipient and how many.
    case transferExported = "transfer_exported"
    /// An administrator asked Apple who people are at this team; the detail is the team and how many.
    case transferImported = "transfer_imported"
    /// The database was copied, or its copy into another one began; the detail is then the kind of both.
    case databaseCopied = "database_copied"
    /// Secrets began to be sealed by another key.
    case secretsResealed = "secrets_resealed"
    /// So many refusals were not written, because there were too many at once.
    case refusalsSkipped = "refusals_skipped"
}

/// Who did what the audit log tells of.
package enum AuditActor: String, CaseIterable, Hashable, Sendable {
    /// The person of the account, by a sign-in, a session, or the link of a mail to them.
    case person
    /// Whoever runs commands on the server's machine.
    case administrator
    /// Somebody who has proved nothing.
    case stranger
    /// Apple, by a notification or its answer about a token.
    case apple
    /// The server itself.
    case server
}

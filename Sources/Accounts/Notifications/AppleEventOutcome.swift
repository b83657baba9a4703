/// What came of an event at Apple.
public enum AppleEventOutcome: Hashable, Sendable {
    /// The account is now as the event says, or gone.
    case applied(AccountID)
    /// The event was acted on before; nothing has changed.
    case repeated
    /// What is known of the account is newer, or about another address; nothing has changed.
    case superseded(AccountID)
    /// The person has no account here; nothing has changed.
    case unknownPerson
}

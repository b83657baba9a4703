import AppleIdentity

/// What came of one person in a run that moves many.
public struct MigrationStep<Output: Sendable>: Sendable {
    /// The identifier that was asked about.
    public let user: UserID
    /// What Apple gave for it, or why not; a retryable error is worth another run.
    public let outcome: Result<Output, SignInError>
    /// How far the run has come, this person included.
    public let progress: MigrationProgress
}

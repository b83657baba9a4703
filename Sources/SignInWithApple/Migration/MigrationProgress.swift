/// How far a run that moves many people has come.
public struct MigrationProgress: Sendable, Hashable {
    /// How many people the run is about, each counted once, without those left out.
    public let totalCount: Int
    /// For how many Apple gave an identifier.
    public internal(set) var succeededCount = 0
    /// For how many there was an error.
    public internal(set) var failedCount = 0

    /// How many have an outcome, good or not.
    public var finishedCount: Int { succeededCount + failedCount }

    init(totalCount: Int) {
        self.totalCount = totalCount
    }
}

package struct ConsoleFrame: Hashable, Sendable {
    /// The time of Apple's clock.
    package var clock: String
    /// The result of the last action, as a sentence.
    package var notice: String?
    /// The reason why the action was refused, as a sentence.
    package var error: String?

    package init(
        clock: String,
        notice: String? = nil,
        error: String? = nil
    ) {
        (self.clock, self.notice, self.error) = (clock, notice, error)
    }
}

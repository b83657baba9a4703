package struct ConsoleFrame: Hashable, Sendable {
    /// What Apple's clock shows.
    package var clock: String
    /// What was done last, as a sentence.
    package var notice: String?
    /// Why it was not done, as a sentence.
    package var error: String?

    package init(clock: String, notice: String? = nil, error: String? = nil) {
        self.clock = clock
        self.notice = notice
        self.error = error
    }
}

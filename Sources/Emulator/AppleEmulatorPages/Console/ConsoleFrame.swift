package struct ConsoleFrame: Hashable, Sendable {
    /// The time of Apple's clock.
    package var clock: String
    /// The name of the world; nil for the unnamed one.
    package var world: String?
    /// The result of the last action, as a sentence.
    package var notice: String?
    /// The reason why the action was refused, as a sentence.
    package var error: String?

    package init(
        clock: String,
        world: String? = nil,
        notice: String? = nil,
        error: String? = nil
    ) {
        (self.clock, self.world, self.notice, self.error) = (clock, world, notice, error)
    }
}

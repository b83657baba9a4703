import AppleIdentity

/// What happens to one notification by chance.
struct ChaosNotification {
    /// The longest wait before it is sent, in seconds.
    private static let maximumDelaySeconds = 5

    /// How often it is sent besides.
    let duplicateCount: Int
    /// How long it waits, in seconds.
    let delaySeconds: Int
    /// Decides which key signs it.
    private let keySeed: UInt64
    /// Whether the other spelling of an account's deletion is used.
    private let swapsSpelling: Bool

    init(_ generator: inout SeededGenerator) {
        duplicateCount = generator.chance(0.25) ? 1 : 0
        delaySeconds =
            generator.chance(0.25)
            ? Int.random(in: 1...Self.maximumDelaySeconds, using: &generator) : 0
        swapsSpelling = generator.chance(0.5)
        keySeed = generator.next()
    }

    /// What decides which key signs.
    fileprivate var keyGenerator: any RandomNumberGenerator { SeededGenerator(seed: keySeed) }

    /// The word for what happened.
    func spelling(of kind: NotificationEvent.Kind) -> NotificationEvent.Kind {
        guard kind.isAccountDeletion, swapsSpelling else { return kind }
        return kind == .accountDeleted ? .accountDelete : .accountDeleted
    }
}

extension ChaosNotification? {
    /// What decides which key signs: the seed, or the system's random numbers.
    var keyGenerator: any RandomNumberGenerator {
        self?.keyGenerator ?? SystemRandomNumberGenerator()
    }
}

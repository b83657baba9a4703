import AppleIdentity
import Foundation

/// Apple's keys change, and some are of no use. These come last of all: a server that keeps old
/// keys signs nobody in afterwards.
extension SignInCheck {
    /// How long a sign-in may fail after Apple signs with new keys, in seconds.
    fileprivate static let maximumKeySeconds = 90.0
    private static let fetchAgain =
        "Fetch Apple's keys again when a token names one that is not known, a few times a minute at most."

    static let rotation = [
        SignInCheck(
            name: "keys-rotated",
            topic: .endings,
            attempt: "tokens signed by new keys of Apple's",
            expectation: "a sign-in works at once",
            fix: fetchAgain,
            source: .verifying
        ) { context throws(CheckError) in
            try await context.control()
            try await context.apple.rotateKeys(keepsOld: true)
            return try await context.recovery()
        },
        SignInCheck(
            name: "keys-withdrawn",
            topic: .endings,
            attempt: "a token that Apple signed just before it withdrew the key",
            expectation: "the browser is signed in, and otherwise the next sign-in works at once",
            fix: "Keep the keys that were fetched for a while: Apple's answer says how long.",
            source: .verifying
        ) { context throws(CheckError) in
            try await context.control()
            var (visit, answer) = try await context.visit(as: context.victim)
            try await context.apple.rotateKeys(keepsOld: false)
            let reply = try await visit.deliver(answer)
            let isSignedIn = try await context.who(&visit) != .nobody
            let finding = try await context.recovery()
            guard !isSignedIn, finding.verdict == .holds else { return finding }
            return .advice(
                "nobody is signed in: \(CheckContext.words(for: reply)); the next sign-in works."
                    + " To refuse a key that was withdrawn is allowed"
            )
        },
        foreignCurve, emptySet,
    ]

    private static let foreignCurve = SignInCheck(
        name: "key-set-foreign",
        topic: .endings,
        attempt: "a key of a curve that nobody knows, beside Apple's keys",
        expectation: "a sign-in works at once",
        fix: "Skip the keys of a set that can't be read, and take the others.",
        source: .keySet
    ) { context throws(CheckError) in
        try await context.apple.change(["foreign_key": true])
        // What the server has kept would not show whether it can read the set.
        try await context.apple.rotateKeys(keepsOld: true)
        let works = try await context.signsIn()
        try await context.apple.change(["foreign_key": false])
        if works { return .holds("the browser is signed in") }
        let finding = try await context.recovery()
        guard finding.verdict == .holds else { return finding }
        return .advice("nobody is signed in as long as Apple publishes that key")
    }

    private static let emptySet = SignInCheck(
        name: "key-set-empty",
        topic: .endings,
        attempt: "a token signed by an own key, while Apple publishes no key (`{\"keys\":[]}`)",
        expectation: "the attacker is not signed in as the victim, and a sign-in works afterwards",
        fix: "Refuse every token whose key is not known, and fetch Apple's keys again.",
        source: .verifying
    ) { context throws(CheckError) in
        try await context.control()
        try await context.apple.change(["empty_key_set": true])
        let (visit, reply) = try await context.forged(.unknownKey)
        try await context.apple.change(["empty_key_set": false])
        var attacker = visit
        guard try await context.who(&attacker) != .victim else {
            return .fails("the attacker's browser is signed in as the victim")
        }
        let finding = try await context.recovery()
        guard finding.verdict == .holds else { return finding }
        return .holds("\(CheckContext.words(for: reply)), and a sign-in works afterwards")
    }
}

extension CheckContext {
    /// Whether a usual sign-in works, and when.
    fileprivate func recovery() async throws(CheckError) -> Finding {
        let start = time.now
        if try await signsIn() { return .holds("the browser is signed in") }
        let works = try await waits(seconds: SignInCheck.maximumKeySeconds) {
            () throws(CheckError) in try await signsIn()
        }
        guard works else {
            throw CheckError(
                "no sign-in worked for \(Int(SignInCheck.maximumKeySeconds)) seconds since Apple has new keys",
                hint: "fetch Apple's keys again when a token names one that is not known"
            )
        }
        let seconds = Int(time.now.timeIntervalSince(start).rounded(.up))
        return .advice("nobody was signed in at first; it worked after \(seconds) s")
    }

    /// Whether a sign-in works, at once or when the server says to come again.
    ///
    /// One that limits how often it fetches Apple's keys answers so, and is right.
    fileprivate func signsIn() async throws(CheckError) -> Bool {
        for _ in 0..<TimeSource.maximumAttemptCount {
            var (visit, answer) = try await visit(as: victim)
            let reply = try await visit.deliver(answer)
            if try await who(&visit) != .nobody { return true }
            guard reply.isOverload, let seconds = reply.retryAfterSeconds,
                (0...WebClient.maximumPauseSeconds).contains(seconds)
            else { return false }
            try await time.pause(for: .seconds(seconds))
        }
        return false
    }
}

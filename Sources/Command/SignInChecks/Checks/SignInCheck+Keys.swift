import AppleIdentity
import Foundation

/// Checks with changed and unusable keys. They are the last ones, because a server that keeps old keys no longer signs
/// in users afterwards.
extension SignInCheck {
    /// How long a sign-in may fail after Apple signs with new keys, in seconds.
    fileprivate static let maximumKeySeconds = 90.0
    private static let fetchAgain =
        "Fetch Apple's keys again when a token names an unknown key, at most a few times a minute."

    static let rotation = [
        SignInCheck(
            name: "keys-rotated",
            attempt: "tokens that Apple signed with new keys",
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
            attempt: "a token that Apple signed just before it withdrew the key",
            expectation: "the browser is signed in, or the next sign-in works at once",
            fix: "Cache Apple's keys for as long as Apple's response allows.",
            source: .verifying
        ) { context throws(CheckError) in
            try await context.control()
            var (visit, answer) = try await context.visit(as: context.victim)
            try await context.apple.rotateKeys(keepsOld: false)
            let reply = try await visit.deliver(answer)
            let isSignedIn = try await context.who(&visit) != .anonymous
            let finding = try await context.recovery()
            guard !isSignedIn, finding.verdict == .holds else { return finding }
            return .advice(
                "no user is signed in: \(CheckContext.words(for: reply)); the next sign-in works."
                    + " A server may refuse a withdrawn key"
            )
        },
        foreignCurve, emptySet,
    ]

    private static let foreignCurve = SignInCheck(
        name: "key-set-foreign",
        attempt: "a key of an unknown curve among Apple's keys",
        expectation: "a sign-in works at once",
        fix: "Skip the unreadable keys of a set, and use the others.",
        source: .keySet
    ) { context throws(CheckError) in
        let change = try await context.apple.change(["foreign_key": true])
        let works = try await context.apple.during(change) { () throws(CheckError) in
            // New keys, because with cached ones the server would not read the set.
            try await context.apple.rotateKeys(keepsOld: true)
            return try await context.signsIn()
        }
        if works { return .holds("the browser is signed in") }
        let finding = try await context.recovery()
        guard finding.verdict == .holds else { return finding }
        return .advice("no user can sign in as long as Apple publishes that key")
    }

    private static let emptySet = SignInCheck(
        name: "key-set-empty",
        attempt:
            "a token signed with the attacker's own key, while Apple publishes no key (`{\"keys\":[]}`)",
        expectation: "the attacker is not signed in as the victim, and a sign-in works afterwards",
        fix: "Refuse every token with an unknown key, and fetch Apple's keys again.",
        source: .verifying
    ) { context throws(CheckError) in
        try await context.control()
        let change = try await context.apple.change(["empty_key_set": true])
        var (attacker, reply) = try await context.apple.during(change) { () throws(CheckError) in
            try await context.forged(.unknownKey)
        }
        guard try await context.who(&attacker) != .victim else {
            return .fails("the attacker's browser is signed in as the victim")
        }
        let finding = try await context.recovery()
        guard finding.verdict == .holds else { return finding }
        return .holds("\(CheckContext.words(for: reply)), and a sign-in works afterwards")
    }
}

extension CheckContext {
    /// Waits until an ordinary sign-in works, and reports how long it took.
    fileprivate func recovery() async throws(CheckError) -> Finding {
        let start = time.now
        if try await signsIn() { return .holds("the browser is signed in") }
        let works = try await waits(seconds: SignInCheck.maximumKeySeconds) {
            () throws(CheckError) in try await signsIn()
        }
        guard works else {
            throw CheckError(
                "no sign-in worked for \(Int(SignInCheck.maximumKeySeconds)) seconds after Apple changed its keys",
                hint: "fetch Apple's keys again when a token names an unknown key"
            )
        }
        let seconds = Int(time.now.timeIntervalSince(start).rounded(.up))
        return .advice("at first no user was signed in; a sign-in worked after \(seconds) s")
    }

    /// Whether a sign-in works, at once or after the pause that the server requests.
    ///
    /// A server may request one, because it limits how often it fetches Apple's keys.
    fileprivate func signsIn() async throws(CheckError) -> Bool {
        for _ in 0..<TimeSource.maximumAttemptCount {
            var (visit, answer) = try await visit(as: victim)
            let reply = try await visit.deliver(answer)
            if try await who(&visit) != .anonymous { return true }
            guard reply.isOverload, let seconds = reply.retryAfterSeconds,
                (0...WebClient.maximumPauseSeconds).contains(seconds)
            else { return false }
            try await time.pause(for: .seconds(seconds))
        }
        return false
    }
}

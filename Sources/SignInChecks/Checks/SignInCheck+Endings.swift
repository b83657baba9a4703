import AppleIdentity
import Foundation

/// Keys change, and accounts end.
extension SignInCheck {
    /// How long a revocation may wait in a queue, in seconds.
    private static let maximumRevocationSeconds = 20.0
    /// How long a sign-in may fail after Apple signs with new keys, in seconds.
    private static let maximumKeySeconds = 90.0

    static let endings = [
        SignInCheck(
            "deletion-revokes",
            .endings,
            attempt: "the request of --delete, by a person who just signed in",
            expectation: "the session ends, and the person's token is revoked at Apple",
            fix:
                "Keep the refresh token with the account, and send it to `/auth/revoke` when the account is deleted.",
            source: .deletion
        ) { context throws(CheckError) in
            guard let deletion = context.target.deletion else {
                return .notExamined("nobody said how an account is deleted: give --delete")
            }
            let person = try await context.newPerson("deleter")
            var visit = try await context.signIn(person)
            let reply = try await visit.delete(deletion)
            guard try await hasEnded(&visit, context) else {
                guard reply.status < 400 else { throw refusedDeletion(deletion, reply) }
                return .fails("answered \(reply.status), and the browser is still signed in")
            }
            return try await isRevoked(person, context)
                ? .holds("the session has ended, and Apple has revoked the token")
                : .fails(
                    "the session has ended, but Apple has not been asked to revoke the person's"
                        + " token within \(Int(maximumRevocationSeconds)) seconds"
                )
        }
    ]

    /// The last of all: a server that keeps old keys signs nobody in afterwards.
    static let rotation = [
        SignInCheck(
            "keys-rotated",
            .endings,
            attempt: "tokens signed by new keys of Apple's",
            expectation: "a sign-in works at once",
            fix:
                "Fetch Apple's keys again when a token names one that is not known, a few times a minute at most.",
            source: .verifying
        ) { context throws(CheckError) in
            try await context.control()
            try await context.apple.rotateKeys()
            let start = context.time.now
            if try await signsIn(context) { return .holds("the browser is signed in") }
            let works = try await context.waits(seconds: maximumKeySeconds) {
                () throws(CheckError) in try await signsIn(context)
            }
            guard works else {
                throw CheckError(
                    "no sign-in worked for \(Int(maximumKeySeconds)) seconds since Apple has new keys",
                    hint: "fetch Apple's keys again when a token names one that is not known"
                )
            }
            let seconds = Int(context.time.now.timeIntervalSince(start).rounded(.up))
            return .advice("nobody was signed in at first; it worked after \(seconds) s")
        }
    ]

    private static func signsIn(_ context: CheckContext) async throws(CheckError) -> Bool {
        var (visit, answer) = try await context.visit(as: context.victim)
        _ = try await visit.deliver(answer)
        return try await context.who(&visit) != .nobody
    }

    /// Whether the session is over; a deletion may be made behind the answer.
    private static func hasEnded(
        _ visit: inout Visit,
        _ context: CheckContext
    ) async throws(CheckError) -> Bool {
        var looking = visit
        return try await context.waits(seconds: maximumRevocationSeconds) {
            () throws(CheckError) in try await context.who(&looking) == .nobody
        }
    }

    private static func refusedDeletion(
        _ deletion: CheckDeletion,
        _ reply: WebAnswer
    ) -> CheckError {
        CheckError(
            "\(deletion.method) \(deletion.url.absoluteString) answered \(reply.status) and deleted nothing",
            hint: "give --delete the request that deletes the account of whoever is signed in"
        )
    }

    /// Whether Apple has revoked what the person gave the app, which a revocation of something else does not do.
    private static func isRevoked(
        _ person: CheckPerson,
        _ context: CheckContext
    ) async throws(CheckError) -> Bool {
        try await context.waits(seconds: maximumRevocationSeconds) { () throws(CheckError) in
            let app = context.registration.primaryID
            return try await context.apple.credentialState(of: person.email, for: app) == "revoked"
        }
    }
}

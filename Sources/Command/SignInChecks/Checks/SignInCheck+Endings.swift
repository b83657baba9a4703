import AppleIdentity
import Foundation

extension SignInCheck {
    /// How long a revocation may be queued, in seconds.
    fileprivate static let maximumRevocationSeconds = 20.0

    static let endings = [
        SignInCheck(
            name: "deletion-revokes",
            attempt: "the request of --delete, by a user who just signed in",
            expectation: "the session ends, and the user's token is revoked at Apple",
            fix:
                "Store the refresh token with the account, and send it to `/auth/revoke` when the account is deleted.",
            source: .deletion
        ) { context throws(CheckError) in
            guard let deletion = context.target.deletion else {
                return .notExamined("the request that deletes an account is unknown: give --delete")
            }
            let person = try await context.newPerson("deleter")
            var visit = try await context.signIn(person)
            let reply = try await visit.delete(deletion)
            guard try await context.hasEnded(&visit) else {
                guard reply.status < 400 else { throw refusedDeletion(deletion, reply) }
                return .fails("responded with \(reply.status), and the browser is still signed in")
            }
            return try await context.isRevoked(person)
                ? .holds("the session has ended, and Apple has revoked the token")
                : .fails(
                    "the session has ended, but the server has not revoked the user's token at Apple"
                        + " within \(Int(maximumRevocationSeconds)) seconds"
                )
        },
        unlinking,
    ]

    private static let unlinking = SignInCheck(
        name: "unlink-ends-sessions",
        attempt:
            "the requests of --unlink, by a user who is also signed in with Apple in a second browser",
        expectation: "the second browser is signed out",
        fix: """
            Store how each session began, and end those that began with Apple when the Apple Account is unlinked. Users \
            unlink to lock another person out.
            """,
        source: .cookies
    ) { context throws(CheckError) in
        guard !context.target.unlinking.isEmpty else {
            return .notExamined("the requests that unlink the account are unknown: give --unlink")
        }
        let person = try await context.newPerson("unlinker")
        var visit = try await context.signIn(person)
        var other = try await context.signIn(person)
        for request in context.target.unlinking {
            let reply = try await visit.send(request)
            guard reply.status < 400 else { throw refused(request, reply) }
        }
        return try await context.hasEnded(&other)
            ? .holds("the second browser is signed out")
            : .fails(
                "the second browser is still signed in, \(Int(maximumRevocationSeconds)) seconds later"
            )
    }

    private static func refused(_ request: CheckRequest, _ reply: WebAnswer) -> CheckError {
        CheckError(
            "\(request.method) \(request.url.absoluteString) responded with \(reply.status)",
            hint: "give the requests that unlink an Apple Account with --unlink, in order"
        )
    }

    private static func refusedDeletion(
        _ deletion: CheckRequest,
        _ reply: WebAnswer
    ) -> CheckError {
        CheckError(
            "\(deletion.method) \(deletion.url.absoluteString) responded with \(reply.status) and deleted nothing",
            hint: "give the request that deletes the signed-in user's account with --delete"
        )
    }
}

extension CheckContext {
    /// Whether the session ends; a server may delete after its response.
    fileprivate func hasEnded(_ visit: inout Visit) async throws(CheckError) -> Bool {
        var looking = visit
        return try await waits(seconds: SignInCheck.maximumRevocationSeconds) {
            () throws(CheckError) in try await who(&looking) == .anonymous
        }
    }

    /// Whether Apple has revoked the user's authorization of the app, which the revocation of another token does not do.
    fileprivate func isRevoked(_ person: CheckPerson) async throws(CheckError) -> Bool {
        try await waits(seconds: SignInCheck.maximumRevocationSeconds) { () throws(CheckError) in
            let app = registration.primaryID
            return try await apple.credentialState(of: person.email, for: app) == "revoked"
        }
    }
}

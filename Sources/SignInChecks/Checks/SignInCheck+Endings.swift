import AppleIdentity
import Foundation

extension SignInCheck {
    /// How long a revocation may wait in a queue, in seconds.
    fileprivate static let maximumRevocationSeconds = 20.0

    static let endings = [
        SignInCheck(
            name: "deletion-revokes",
            topic: .endings,
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
            guard try await context.hasEnded(&visit) else {
                guard reply.status < 400 else { throw refusedDeletion(deletion, reply) }
                return .fails("answered \(reply.status), and the browser is still signed in")
            }
            return try await context.isRevoked(person)
                ? .holds("the session has ended, and Apple has revoked the token")
                : .fails(
                    "the session has ended, but Apple has not been asked to revoke the person's"
                        + " token within \(Int(maximumRevocationSeconds)) seconds"
                )
        },
        unlinking,
    ]

    private static let unlinking = SignInCheck(
        name: "unlink-ends-sessions",
        topic: .endings,
        attempt:
            "the requests of --unlink, by a person whose Apple Account is signed in in a second browser",
        expectation: "the second browser is signed out",
        fix: """
            Keep with each session how it was opened, and end those that Apple opened when the Apple Account is unlinked: \
            people unlink to lock somebody out.
            """,
        source: .cookies
    ) { context throws(CheckError) in
        guard !context.target.unlinking.isEmpty else {
            return .notExamined("how an Apple Account is unlinked is unknown: give --unlink")
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
            "\(request.method) \(request.url.absoluteString) answered \(reply.status)",
            hint: "give --unlink the requests that unlink an Apple Account, in their order"
        )
    }

    private static func refusedDeletion(
        _ deletion: CheckRequest,
        _ reply: WebAnswer
    ) -> CheckError {
        CheckError(
            "\(deletion.method) \(deletion.url.absoluteString) answered \(reply.status) and deleted nothing",
            hint: "give --delete the request that deletes the account of whoever is signed in"
        )
    }
}

extension CheckContext {
    /// Whether the session is over; a deletion may be made behind the answer.
    fileprivate func hasEnded(_ visit: inout Visit) async throws(CheckError) -> Bool {
        var looking = visit
        return try await waits(seconds: SignInCheck.maximumRevocationSeconds) {
            () throws(CheckError) in try await who(&looking) == .nobody
        }
    }

    /// Whether Apple has revoked what the person gave the app, which a revocation of something else does not do.
    fileprivate func isRevoked(_ person: CheckPerson) async throws(CheckError) -> Bool {
        try await waits(seconds: SignInCheck.maximumRevocationSeconds) { () throws(CheckError) in
            let app = registration.primaryID
            return try await apple.credentialState(of: person.email, for: app) == "revoked"
        }
    }
}

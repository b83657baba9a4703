import AppleIdentity
import Foundation

/// Keys change, and accounts end.
extension SignInCheck {
    static let rotation = [
        SignInCheck(
            "keys-rotated",
            .endings,
            attempt: "lets Apple sign with new keys",
            expectation: "a sign-in works at once",
            fix:
                "Fetch Apple's keys again when a token names one that is not known, a few times a minute at most.",
            source: .verifying
        ) { context throws(CheckError) in
            try await context.apple.rotateKeys()
            var (visit, answer) = try await context.visit(as: context.victim)
            return try await context.expectSignIn(&visit, answer).asAdvice
        }
    ]

    /// How long a revocation may wait in a queue, in tenths of a second.
    private static let maximumRevocationTenths = 200

    static let endings = [
        SignInCheck(
            "deletion-revokes",
            .endings,
            attempt: "deletes the account of somebody who just signed in",
            expectation: "the session ends, and the token is revoked at Apple",
            fix:
                "Keep the refresh token with the account, and send it to `/auth/revoke` when the account is deleted.",
            source: .deletion
        ) { context throws(CheckError) in
            guard let deletion = context.target.deletion else {
                return .notExamined("nobody said how an account is deleted: give --delete")
            }
            let person = try await context.newPerson("deleter")
            var visit = try await context.signIn(person)
            let before = try await context.apple.lastRequestNumber()
            let reply = try await visit.delete(deletion)
            guard try await context.who(&visit) == .nobody else {
                return .fails("answered \(reply.status), and the browser is still signed in")
            }
            for _ in 0..<maximumRevocationTenths {
                if try await isRevoked(context, after: before) {
                    return .holds("Apple was asked to revoke")
                }
                try await context.pause()
            }
            return .fails("Apple was not asked to revoke within 20 seconds")
        }
    ]

    /// Whether Apple has accepted a revocation since a request.
    private static func isRevoked(
        _ context: CheckContext,
        after number: Int
    ) async throws(CheckError) -> Bool {
        try await context.apple.requests().contains {
            $0["path"]?.stringValue == "/auth/revoke" && $0["status"]?.integerValue == 200
                && $0["number"]?.integerValue ?? 0 > number
        }
    }
}

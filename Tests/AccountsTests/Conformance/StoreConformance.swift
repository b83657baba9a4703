import Accounts
import Foundation
import Testing

/// What every store has to do; a new store joins by running these checks on itself.
struct StoreConformance {
    /// One check, by a name that a failure can show.
    struct Check: Sendable, CustomTestStringConvertible {
        let name: String
        let run: @Sendable (any AccountStore) async throws -> Void

        var testDescription: String { name }
    }

    static let checks: [Check] =
        signInChecks + nonceChecks + sessionChecks + accountChecks + outboxChecks + eventChecks
        + addressChecks
}

extension AccountStore {
    /// Both steps of a sign-in that has to succeed.
    @discardableResult
    func signIn(
        _ sample: SampleSignIn,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (signedIn: SignedInSession, isNewAccount: Bool) {
        let refusal = try await beginSignIn(sample.attempt)
        #expect(refusal == nil, sourceLocation: sourceLocation)
        guard
            case .signedIn(let signedIn, let isNewAccount) = try await completeSignIn(
                sample.completion
            )
        else {
            throw ConformanceFailure(what: "the sign-in was refused")
        }
        return (signedIn, isNewAccount)
    }

    func refusal(completing sample: SampleSignIn) async throws -> SignInRefusal? {
        guard case .refused(let refusal) = try await completeSignIn(sample.completion) else {
            return nil
        }
        return refusal
    }
}

struct ConformanceFailure: Error {
    let what: String
}

import AppleIdentity
import Foundation

/// Examines a server: gets to know it by usual sign-ins, then makes each check.
package struct CheckRun: Sendable {
    private let target: CheckTarget
    private let checks: [SignInCheck]
    private let client: WebClient
    private let time: TimeSource

    package init(
        target: CheckTarget,
        checks: [SignInCheck] = SignInCheck.all,
        time: TimeSource = .live
    ) {
        self.target = target
        self.checks = checks
        self.time = time
        client = WebClient(time: time)
    }

    package func run(
        onResult: (CheckResult) -> Void = { _ in }
    ) async throws(CheckError) -> CheckReport {
        let baseline = BaselineSignIns(target: target, client: client, time: time)
        let context = try await time.attempt { () throws(CheckError) in try await baseline.make() }
        var (results, end): ([CheckResult], CheckError?) = ([], nil)
        for check in checks {
            let finding =
                if let end { Finding.error(end) } else { await finding(of: check, context) }
            if end == nil, finding.verdict == .error { end = await whyNothingWorks(context) }
            let result = CheckResult(check: check, finding: finding)
            results.append(result)
            onResult(result)
        }
        return CheckReport(target: target, results: results)
    }

    /// The report of a run that could not begin.
    package func report(of error: CheckError) -> CheckReport {
        CheckReport(
            target: target,
            results: checks.map { CheckResult(check: $0, finding: .error(error)) }
        )
    }

    private func finding(of check: SignInCheck, _ context: CheckContext) async -> Finding {
        do {
            return try await time.attempt { () throws(CheckError) in
                try await check.examine(context)
            }
        } catch {
            guard error.kind == .overload, (try? await context.control()) != nil else {
                return .error(error)
            }
            return .advice(
                error.message
                    + ", each of \(TimeSource.maximumAttemptCount) times, while usual sign-ins"
                    + " work: if the server refuses so, let it answer 400"
            )
        }
    }

    /// Why the other checks would show nothing; nil when a usual sign-in works.
    private func whyNothingWorks(_ context: CheckContext) async -> CheckError? {
        do {
            try await time.attempt { () throws(CheckError) in try await context.control() }
            return nil
        } catch {
            return CheckError(
                "not tried, because a usual sign-in no longer works: " + error.message,
                hint: error.hint,
                kind: error.kind
            )
        }
    }
}

/// Why a check could not be completed, and the next right step.
package struct CheckError: Error, Hashable, Sendable {
    /// What kept the check from a verdict.
    package enum Kind: Hashable, Sendable {
        /// An answer was not what the check needs to go on.
        case unusable
        /// Nobody answered.
        case silence
        /// The server answered that it has too much to do.
        case overload
    }

    package let kind: Kind
    package let message: String
    package let hint: String

    package init(_ message: String, hint: String, kind: Kind = .unusable) {
        self.message = message
        self.hint = hint
        self.kind = kind
    }

    static let stopped = CheckError("the check was stopped", hint: "start it again")

    /// Nobody is signed in though nothing was wrong.
    static func noUsualSignIn(_ detail: String = "") -> CheckError {
        CheckError(
            "a usual sign-in did not work\(detail)",
            hint: "look at GET /requests of the emulator, and at the server's log"
        )
    }

    /// The server limits this client, or can't keep up.
    static func overload(_ what: String, _ status: Int) -> CheckError {
        CheckError(
            "\(what) answered \(status), which says nothing about the attack",
            hint: "raise the server's limits for the check, or find out in its log why it fails",
            kind: .overload
        )
    }
}

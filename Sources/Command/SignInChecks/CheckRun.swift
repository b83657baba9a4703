import AppleIdentity
import Foundation

/// Examines a server: learns its behaviour from ordinary sign-ins, then runs each check.
package struct CheckRun: Sendable {
    private let target: CheckTarget
    private let checks: [SignInCheck]
    private let client: WebClient
    private let apple: EmulatedApple
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
        apple = EmulatedApple(control: target.control, client: client)
    }

    /// Examines the server, and undoes what it changed at the emulator.
    package func run(
        onResult: (CheckResult) -> Void = { _ in }
    ) async throws(CheckError) -> CheckReport {
        do throws(CheckError) {
            let report = try await examine(onResult)
            await apple.undoAll()
            return report
        } catch {
            await apple.undoAll()
            throw error
        }
    }

    private func examine(
        _ onResult: (CheckResult) -> Void
    ) async throws(CheckError) -> CheckReport {
        let web = try await webContext()
        let api = await apiContext(web)
        var (results, end): ([CheckResult], CheckError?) = ([], nil)
        for check in checks {
            let start = time.uptime
            let finding: Finding
            switch check.subject {
            case .web:
                finding =
                    if let end { .error(end) } else { await self.finding(of: check, web) }
                if end == nil, finding.verdict == .error { end = await whyNothingWorks(web) }
            case .api(let examine): finding = await self.finding(api, examine)
            }
            if Task.isCancelled { throw .stopped }
            let result = CheckResult(
                check: check,
                finding: finding.printable,
                duration: time.uptime - start,
                acceptedReason: target.accepted[check.name]
            )
            results.append(result)
            onResult(result)
        }
        return CheckReport(target: target, results: results)
    }

    private func webContext() async throws(CheckError) -> CheckContext? {
        guard target.hasWebSignIn else { return nil }
        let baseline = BaselineSignIns(target: target, apple: apple, client: client, time: time)
        return try await time.attempt { () throws(CheckError) in try await baseline.make() }
    }

    private func apiContext(_ web: CheckContext?) async -> Result<APIContext?, CheckError> {
        do {
            return .success(
                try await time.attempt { () throws(CheckError) in
                    try await APIContext(target, client: client, apple: apple, time: time, web: web)
                }
            )
        } catch {
            return .failure(error)
        }
    }

    /// Returns the report of a run that could not begin.
    package func report(of error: CheckError) -> CheckReport {
        CheckReport(
            target: target,
            results: checks.map { CheckResult(check: $0, finding: Finding.error(error).printable) }
        )
    }

    private func finding(
        _ context: Result<APIContext?, CheckError>,
        _ examine: SignInCheck.APIExamination
    ) async -> Finding {
        do {
            guard let context = try context.get() else {
                return .notExamined(
                    "the API is unknown: give --api with --native-client, or with --nonces"
                )
            }
            return try await time.attempt { () throws(CheckError) in try await examine(context) }
        } catch {
            return .error(error)
        }
    }

    private func finding(
        of check: SignInCheck,
        _ context: CheckContext?
    ) async -> Finding {
        guard let context else {
            return .notExamined("the sign-in in a browser is unknown: give its URL")
        }
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
                    + ", in all \(TimeSource.maximumAttemptCount) attempts, although"
                    + " ordinary sign-ins work. If this is how the server refuses the attack,"
                    + " have it respond with 400"
            )
        }
    }

    /// The error for the remaining checks if an ordinary sign-in no longer works; nil if it does.
    private func whyNothingWorks(_ context: CheckContext?) async -> CheckError? {
        guard let context else { return nil }
        do {
            try await time.attempt { () throws(CheckError) in try await context.control() }
            return nil
        } catch {
            return CheckError(
                "not run, because an ordinary sign-in no longer works: " + error.message,
                hint: error.hint,
                kind: error.kind
            )
        }
    }
}

/// The reason why a check could not be completed, and the next step.
package struct CheckError: Error, Hashable, Sendable {
    /// The cause of the missing verdict.
    package enum Kind: Hashable, Sendable {
        /// The check cannot continue with a response.
        case unusable
        /// A request got no response.
        case silence
        /// The server responded with 429 or 503.
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

    /// An ordinary sign-in did not work.
    static func noUsualSignIn(_ detail: String = "") -> CheckError {
        CheckError(
            "an ordinary sign-in did not work\(detail)",
            hint: "check GET /requests on the control port, and the server's log"
        )
    }

    /// The server limits this client, or is overloaded.
    static func overload(_ what: String, _ status: Int) -> CheckError {
        CheckError(
            "\(what) responded with \(status), which shows nothing about the attack",
            hint: "raise the server's limits for the check, or find the reason in its log",
            kind: .overload
        )
    }
}

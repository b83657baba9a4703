import AppleIdentity
import Foundation
import SignInWithApple

/// The findings of all checks, in order.
package struct DiagnosticReport: Hashable, Sendable {
    package var findings: [DiagnosticFinding]

    package init(_ findings: [DiagnosticFinding]) { self.findings = findings }

    /// Whether Apple would refuse requests or the server would not start.
    package var hasFailure: Bool { findings.contains { $0.outcome == .failure } }

    /// The findings as a table, with a note on what cannot be checked.
    package var text: String {
        (rows.map { $0.start + $0.advice } + ["", conclusion]).joined(separator: "\n")
    }

    /// The rows of the table: check and result in columns, and the details.
    package var rows: [(start: String, advice: String)] {
        let titles = (check: "check", result: "result", advice: "details, or what to do")
        let rows =
            [titles]
            + findings.map { (check: $0.check, result: $0.outcome.rawValue, advice: $0.advice) }
        let checkWidth = rows.map(\.check.count).max() ?? 0
        let resultWidth = rows.map(\.result.count).max() ?? 0
        return rows.map { row in
            let start =
                Self.padded(row.check, to: checkWidth) + "  "
                + Self.padded(row.result, to: resultWidth) + "  "
            return (start, row.advice)
        }
    }

    /// What to do, and what cannot be checked.
    package var conclusion: String { "\(summary)\n\n\(Self.limits)" }

    /// The findings as JSON.
    package var json: JSONObject {
        [
            "failed": .boolean(hasFailure),
            "checks": .array(
                findings.map {
                    [
                        "check": .string($0.check), "result": .string($0.outcome.word),
                        "advice": .string($0.advice),
                    ]
                }
            ),
        ]
    }

    private var summary: String {
        let failed = findings.filter { $0.outcome == .failure }.map(\.check)
        let warned = findings.filter { $0.outcome == .warning }.map(\.check)
        guard failed.isEmpty else { return "To fix: \(failed.joined(separator: ", "))." }
        guard warned.isEmpty else { return "To check: \(warned.joined(separator: ", "))." }
        let unchecked = findings.filter { $0.outcome == .unchecked }.map(\.check)
        return "No problems found"
            + (unchecked.isEmpty ? "." : "; not checked: \(unchecked.joined(separator: ", ")).")
    }

    private static let limits = """
        Not checked: whether Apple accepts key, team and client together, and the code
        verifier (PKCE) of the pages. Apple looks up the code before it checks the rest,
        so a made-up code proves nothing. The first real sign-in shows whether it does;
        a refusal lists its likely causes.
        """

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: width - text.count)
    }
}

/// The result of one check.
package struct DiagnosticFinding: Hashable, Sendable {
    package enum Outcome: String, Sendable {
        case ok
        case unchecked = "not checked"
        case warning
        case failure = "FAIL"

        /// The value of the JSON member.
        package var word: String {
            switch self {
            case .ok: "ok"
            case .unchecked: "unchecked"
            case .warning: "warning"
            case .failure: "failure"
            }
        }
    }

    /// The name of the check.
    package let check: String
    package let outcome: Outcome
    /// The details, or the problem and its solution; never a secret.
    package let advice: String
}

/// Creates the findings of a named check.
struct Check {
    let name: String

    init(_ name: String) {
        self.name = name
    }

    func ok(_ advice: String) -> DiagnosticFinding { finding(.ok, advice) }

    func unchecked(_ advice: String) -> DiagnosticFinding { finding(.unchecked, advice) }

    func warning(_ advice: String) -> DiagnosticFinding { finding(.warning, advice) }

    func failure(_ advice: String) -> DiagnosticFinding { finding(.failure, advice) }

    func failure(_ error: ConfigurationError) -> DiagnosticFinding {
        failure("\(error.variable) \(error.message); \(error.fix)")
    }

    func finding(_ outcome: DiagnosticFinding.Outcome, _ advice: String) -> DiagnosticFinding {
        DiagnosticFinding(check: name, outcome: outcome, advice: advice)
    }
}

/// Settings as they are written, possibly with errors.
package struct DiagnosticSettings: Sendable {
    package var teamID = ""
    package var keyID = ""
    /// The key file's text; nil when it could not be read, which another finding reports.
    package var keyText: String?
    /// The key file's name, which contains the key ID.
    package var keyFileName: String?
    package var clientIDs: [String] = []
    package var servicesIDs: [String] = []
    /// The redirect URIs of the web sign-in.
    package var redirectURIs: [String] = []
    package var service = AppleService.apple
    /// Whether Apple's URL could be read; otherwise no requests are sent there.
    package var isAddressKnown = true
    package var secretLifetime = ClientSecretKey.usualLifetime

    package init() {}

    /// Whether this is Apple's service, whose rules are stricter than the emulator's.
    var isApple: Bool { service.url.host() == AppleService.apple.url.host() }

    /// The bundle IDs and the Services IDs.
    var allClients: [String] { clientIDs + servicesIDs }
}

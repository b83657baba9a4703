import AppleIdentity
import Foundation
import SignInWithApple

/// What the checks of a configuration found, in their order.
package struct DiagnosticReport: Hashable, Sendable {
    package var findings: [DiagnosticFinding]

    package init(_ findings: [DiagnosticFinding]) { self.findings = findings }

    /// Whether Apple would refuse, or the server not start.
    package var hasFailure: Bool { findings.contains { $0.outcome == .failure } }

    /// The findings as a table, and what no check can tell.
    package var text: String {
        let titles = (check: "check", result: "result", advice: "details, or what to do")
        let rows =
            [titles]
            + findings.map { (check: $0.check, result: $0.outcome.rawValue, advice: $0.advice) }
        let checkWidth = rows.map(\.check.count).max() ?? 0
        let resultWidth = rows.map(\.result.count).max() ?? 0
        let table = rows.map { row in
            Self.padded(row.check, to: checkWidth) + "  " + Self.padded(row.result, to: resultWidth)
                + "  " + row.advice
        }
        return (table + ["", summary, "", Self.limits]).joined(separator: "\n")
    }

    /// The findings for programs: whether one failed, and each in its order.
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

    /// How it went, in one line.
    private var summary: String {
        let failed = findings.filter { $0.outcome == .failure }.map(\.check)
        let warned = findings.filter { $0.outcome == .warning }.map(\.check)
        guard failed.isEmpty else { return "To fix: \(failed.joined(separator: ", "))." }
        guard warned.isEmpty else { return "To check: \(warned.joined(separator: ", "))." }
        return "No problems found."
    }

    /// Apple looks the code up before it looks at the client's credentials, so that a made-up code
    /// is refused with any key.
    private static let limits = """
        Not asked: whether Apple accepts key, team and client together. Apple looks a code up before
        it looks at the credentials, so that a made-up code proves nothing; the first real sign-in
        does, and a refusal then names its causes.
        """

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: width - text.count)
    }
}

/// What one check of a configuration found.
package struct DiagnosticFinding: Hashable, Sendable {
    package enum Outcome: String, Sendable {
        case ok
        case warning
        case failure = "FAIL"

        /// The word for programs.
        package var word: String { self == .failure ? "failure" : rawValue }
    }

    /// What was checked, in a few words.
    package let check: String
    package let outcome: Outcome
    /// What is there, or what is wrong and what to do; never a secret.
    package let advice: String
}

/// Names a check, and makes what it finds.
struct Check {
    let name: String

    init(_ name: String) {
        self.name = name
    }

    func ok(_ advice: String) -> DiagnosticFinding { finding(.ok, advice) }

    func warning(_ advice: String) -> DiagnosticFinding { finding(.warning, advice) }

    func failure(_ advice: String) -> DiagnosticFinding { finding(.failure, advice) }

    func failure(_ error: ConfigurationError) -> DiagnosticFinding {
        failure("\(error.variable) \(error.message); \(error.fix)")
    }

    func finding(_ outcome: DiagnosticFinding.Outcome, _ advice: String) -> DiagnosticFinding {
        DiagnosticFinding(check: name, outcome: outcome, advice: advice)
    }
}

/// A configuration as somebody wrote it, with whatever mistakes it has.
package struct DiagnosticSettings: Sendable {
    package var teamID = ""
    package var keyID = ""
    /// The key file's text; nil when it could not be read, which is told elsewhere.
    package var keyText: String?
    /// The key file's name, by which Apple tells the key's identifier.
    package var keyFileName: String?
    /// The bundle identifiers.
    package var clientIDs: [String] = []
    package var servicesID: String?
    /// The addresses to which Apple shall send browsers back.
    package var redirectURIs: [String] = []
    package var service = AppleService.apple
    /// Whether Apple's address could be read; otherwise nothing is asked there.
    package var isAddressKnown = true
    package var secretLifetime = ClientSecretKey.usualLifetime

    package init() {}

    /// Whether this is Apple itself, whose rules are stricter than an emulator's.
    var isApple: Bool { service.url.host() == AppleService.apple.url.host() }

    /// Every client, as far as there is one.
    var allClients: [String] { clientIDs + [servicesID].compactMap(\.self) }
}

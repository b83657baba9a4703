import AppleIdentity
import Foundation

extension CheckReport {
    /// The report for programs.
    package var json: String {
        let object: JSONObject = [
            "url": .string(target.start.absoluteString),
            "all_hold": .boolean(allHold),
            "counts": .object(
                JSONObject(
                    Finding.Verdict.allCases.map {
                        .init(name: $0.rawValue, value: .integer(count($0)))
                    }
                )
            ),
            "checks": .array(results.map { .object($0.object) }),
        ]
        return object.text
    }
}

extension CheckResult {
    fileprivate var object: JSONObject {
        var object: JSONObject = [
            "name": .string(check.name), "topic": .string(check.topic.rawValue),
            "verdict": .string(finding.verdict.rawValue), "reason": .string(finding.reason),
            "attempt": .string(check.attempt), "expectation": .string(check.expectation),
            "fix": .string(check.fix), "source": .string(check.source.address),
        ]
        object["hint"] = finding.hint.map { .string($0) }
        return object
    }
}

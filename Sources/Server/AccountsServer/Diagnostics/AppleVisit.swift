import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple

/// The checks against Apple's service: the keys, the clock, and the issuer.
struct AppleVisit {
    /// The difference of the clocks that is not reported, in seconds.
    static let clockDifferenceUsual: TimeInterval = 5

    let findings: [DiagnosticFinding]
    /// The time of Apple's clock; nil when the response has none.
    let appleTime: Date?

    init(settings: DiagnosticSettings, exchange: AppleExchange) async {
        let askedAt = exchange.time.now
        let keys: AppleExchange.Answer
        do {
            keys = try await exchange.get(ApplePath.keys)
        } catch {
            findings = [
                Check("Apple's keys").failure(
                    "\(Self.address(of: settings)) can't be reached; check name resolution, the "
                        + "proxy and the firewall (\((error as? SignInError)?.hint ?? "\(error)"))"
                ),
                Check("clock").unchecked("Apple's time is not known"),
                Self.pinnedIssuer(settings),
            ]
            appleTime = nil
            return
        }
        let appleTime = HTTPDate.parse(keys.fields[.date])
        self.appleTime = appleTime
        findings = [
            Self.keys(keys),
            Self.clock(own: askedAt...max(askedAt, exchange.time.now), apple: appleTime),
            await Self.issuer(settings, exchange),
        ]
    }

    private static func address(of settings: DiagnosticSettings) -> String {
        settings.service.url.absoluteString + ApplePath.keys
    }

    private static func keys(_ answer: AppleExchange.Answer) -> DiagnosticFinding {
        let check = Check("Apple's keys")
        guard answer.status == 200 else {
            return check.failure(
                "the keys endpoint responded with \(answer.status); check Apple's URL and the proxy"
            )
        }
        guard let document = try? JSONWebKeySet(json: answer.body) else {
            return check.failure(
                "the keys endpoint did not return keys; check Apple's URL and the proxy"
            )
        }
        let count = document.verificationKeys().values.count { $0.algorithm == .rs256 }
        guard count > 0 else {
            return check.failure("there is no RSA key that could verify a token")
        }
        return check.ok("\(count) RSA \(count == 1 ? "key" : "keys")")
    }

    /// Compares the response's time with the whole interval, because the network may be slow.
    private static func clock(own: ClosedRange<Date>, apple: Date?) -> DiagnosticFinding {
        let check = Check("clock")
        guard let apple else {
            return check.unchecked("Apple's response has no Date field; check the clock with NTP")
        }
        let nearest = min(max(apple, own.lowerBound), own.upperBound)
        let difference = nearest.timeIntervalSince(apple)
        guard abs(difference) > clockDifferenceUsual else {
            return check.ok("matches Apple's clock within \(Int(clockDifferenceUsual)) seconds")
        }
        // The year of a Date field has four digits, so the difference fits.
        let seconds = Int(abs(difference))
        let words = "\(seconds) seconds \(difference > 0 ? "ahead of" : "behind") Apple's"
        return check.finding(
            abs(difference) > ClientRefusal.maximumClockDifference ? .failure : .warning,
            words + "; synchronize it with NTP"
        )
    }

    private static func pinnedIssuer(_ settings: DiagnosticSettings) -> DiagnosticFinding {
        let issuer = settings.service.issuer
        guard !settings.isApple || issuer == AppleService.appleIssuer else {
            return Check("issuer").failure(
                "\(Excerpt.quoting(issuer)) is not the issuer that Apple's tokens name; it must be "
                    + AppleService.appleIssuer
            )
        }
        return Check("issuer").ok(issuer)
    }

    /// Compares the issuer of the discovery document, but never trusts it.
    private static func issuer(
        _ settings: DiagnosticSettings,
        _ exchange: AppleExchange
    ) async -> DiagnosticFinding {
        let pinned = pinnedIssuer(settings)
        guard pinned.outcome == .ok else { return pinned }
        guard let answer = try? await exchange.get(ApplePath.discovery), answer.status == 200,
            let announced = try? JSONObject(parsing: answer.body)["issuer"]?.stringValue
        else {
            return Check("issuer").warning(
                "the discovery document can't be read; tokens must name \(settings.service.issuer)"
            )
        }
        guard announced != settings.service.issuer else { return pinned }
        return Check("issuer").finding(
            settings.isApple ? .warning : .failure,
            "the discovery document names \(Excerpt.quoting(announced)), but tokens must name "
                + "\(Excerpt.quoting(settings.service.issuer)); check which one actual tokens contain"
        )
    }
}

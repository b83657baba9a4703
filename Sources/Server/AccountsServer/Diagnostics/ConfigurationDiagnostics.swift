import AppleIdentity
import Foundation
import SignInWithApple

/// Checks the settings for Sign in with Apple, and Apple's service.
package struct ConfigurationDiagnostics: Sendable {
    let settings: DiagnosticSettings
    let exchange: AppleExchange

    package init(
        _ settings: DiagnosticSettings,
        transport: AppleTransport = .live(),
        time: TimeSource = .live
    ) {
        self.settings = settings
        exchange = AppleExchange(service: settings.service, transport: transport, time: time)
    }

    /// Runs all checks, first those without network.
    package func run() async -> DiagnosticReport {
        let names = [teamID, keyID] + keyFile + clients
        guard settings.isAddressKnown else {
            let unchecked = ["Apple's keys", "clock", "issuer"]
                .map { Check($0).unchecked("Apple's address is not known") }
            return DiagnosticReport(names + unchecked + secret(at: nil))
        }
        let redirects = settings.redirectURIs.map {
            RedirectCheck(text: $0, isApple: settings.isApple).finding
        }
        let visit = await AppleVisit(settings: settings, exchange: exchange)
        return DiagnosticReport(names + redirects + visit.findings + secret(at: visit.appleTime))
    }
}

extension ConfigurationDiagnostics {
    private var teamID: DiagnosticFinding {
        TeamID(settings.teamID).isWellFormed
            ? Check("team ID").ok(settings.teamID)
            : Check("team ID").failure(
                Self.wrong(settings.teamID)
                    + "use the ten capital letters or digits on Apple's membership page"
            )
    }

    private static func wrong(_ text: String) -> String {
        text.isEmpty ? "it is missing; " : "\(Excerpt.quoting(text)) is malformed; "
    }

    private var keyID: DiagnosticFinding {
        let check = Check("key ID")
        guard KeyID(settings.keyID).isWellFormed else {
            return check.failure(
                Self.wrong(settings.keyID)
                    + "use the ten capital letters or digits in the name AuthKey_….p8"
            )
        }
        guard settings.keyID != settings.teamID else {
            return check.failure("this is the team ID; take the key ID from the name AuthKey_….p8")
        }
        return check.ok(settings.keyID)
    }

    private var keyFile: [DiagnosticFinding] {
        guard let text = settings.keyText else { return [] }
        let check = Check("key file")
        do {
            _ = try PrivateKeyFile.read(text)
        } catch {
            return [check.failure(error.hint)]
        }
        // Apple names the file after the key; another name is not an error.
        if let file = settings.keyFileName?.wholeMatch(of: /AuthKey_([A-Z0-9]{10})\.p8/)?.1,
            file != settings.keyID
        {
            return [
                check.warning(
                    "its name contains key ID \(file), but the setting is \(Excerpt.quoting(settings.keyID)); "
                        + "Apple refuses with invalid_client if they do not match"
                )
            ]
        }
        return [check.ok("a private key on P-256")]
    }

    private var clients: [DiagnosticFinding] {
        guard !settings.allClients.isEmpty else {
            return [Check("client IDs").failure("none are set; list bundle IDs or Services IDs")]
        }
        let bundleIDs = settings.clientIDs.map { client(Check("bundle ID"), $0) }
        return bundleIDs + settings.servicesIDs.map(servicesID)
    }

    private func servicesID(_ text: String) -> DiagnosticFinding {
        guard !settings.clientIDs.contains(text) else {
            return Check("Services ID").failure(
                "\(Excerpt.quoting(text)) is also listed as a bundle ID; Apple never uses one identifier "
                    + "for both"
            )
        }
        return client(Check("Services ID"), text)
    }

    private func client(_ check: Check, _ text: String) -> DiagnosticFinding {
        let quoted = Excerpt.quoting(text)
        guard text.wholeMatch(of: /[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)+/) != nil,
            text.utf8.count <= 255
        else {
            return check.failure(
                "\(quoted) does not have the form com.example.app (letters, digits, hyphens and dots)"
            )
        }
        guard settings.teamID.isEmpty || !text.hasPrefix(settings.teamID + ".") else {
            return check.failure("\(quoted) begins with the team ID; remove this prefix")
        }
        return check.ok(text)
    }
}

extension ConfigurationDiagnostics {
    /// Creates the client secrets and checks them for known causes of a refusal.
    private func secret(at appleTime: Date?) -> [DiagnosticFinding] {
        let check = Check("client secret")
        guard let text = settings.keyText,
            let key = try? ClientSecretKey(
                pem: text,
                keyID: KeyID(settings.keyID),
                teamID: TeamID(settings.teamID)
            )
        else { return [] }
        for client in settings.allClients.map({ ClientID($0) }) {
            do {
                let secret = try key.clientSecret(
                    for: client,
                    lifetime: settings.secretLifetime,
                    audience: settings.service.issuer,
                    at: exchange.time.now
                )
                if let cause = cause(against: secret, of: client, appleTime: appleTime) {
                    return [check.failure(cause.description)]
                }
            } catch {
                return [check.failure(error.hint)]
            }
        }
        let words = "can be created; valid for \(settings.secretLifetime.wholeSeconds) seconds"
        return [check.ok(words)]
    }

    private func cause(
        against secret: String,
        of client: ClientID,
        appleTime: Date?
    ) -> RefusalCause? {
        // Other findings report these three.
        let reported: Set<RefusalCause.Code> = [
            .clockWrong, .clientIDHasTeamPrefix, .keyIDIsTeamID,
        ]
        return ClientRefusal.evidentCauses(
            of: secret,
            for: client,
            audience: settings.service.issuer,
            appleTime: appleTime,
            at: exchange.time.now
        )
        .first { !reported.contains($0.code) }
    }
}

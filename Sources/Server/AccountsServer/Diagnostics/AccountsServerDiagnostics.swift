import Accounts
import AccountsPostgreSQL
import AccountsSQLite
import AppleIdentity
import Configuration
import Foundation
import MailTransport
import SignInWithApple

/// Checks the settings of a server, and its database, without starting it.
package struct AccountsServerDiagnostics: Sendable {
    private let reader: ConfigReader
    private let values: ConfigurationValues
    private let transport: AppleTransport
    private let time: TimeSource
    private let secretFile: String?

    /// Creates the checks.
    ///
    /// - Parameters:
    ///   - reader: the settings.
    ///   - secretFile: the file of settings, if it contains secrets.
    ///   - transport: the transport to Apple; nil for the network.
    ///   - time: the clock.
    package init(
        reader: ConfigReader,
        secretFile: String? = nil,
        transport: AppleTransport? = nil,
        time: TimeSource = .live
    ) {
        self.reader = reader
        self.secretFile = secretFile
        values = ConfigurationValues(reader)
        self.transport = transport ?? .live(through: (try? AppleProxy(values)) ?? nil)
        self.time = time
    }

    /// Runs all checks.
    package func run() async -> DiagnosticReport {
        let (settings, unreadable) = settings()
        var report = await ConfigurationDiagnostics(settings, transport: transport, time: time)
            .run()
        report.findings +=
            way(to: settings.service) + unreadable + trustedProxies + openFiles + [sealingKeys]
            + (await outgoingMail())
        if report.hasFailure, !settings.redirectURIs.isEmpty {
            report.findings.append(Check("public URL").unchecked("fix the failures first"))
        } else if let redirectURI = settings.redirectURIs.first {
            let publicURL = String(redirectURI.dropLast(WebPath.callback.count))
            let check = PublicURLCheck(publicURL: publicURL, transport: transport)
            report.findings.append(await check.finding())
            let apps = AssociatedAppsCheck(
                identifiers: values.list(AssociatedApps.settingName),
                teamID: settings.teamID,
                clientIDs: settings.clientIDs,
                publicURL: publicURL,
                transport: transport
            )
            report.findings += await apps.findings()
        }
        report.findings += await database()
        report.findings += remainder(hasFailure: report.hasFailure)
        return report
    }

    /// The settings whose mistakes another check reports, in its own words.
    private static let checkedNames: Set = [
        "SIWA_TEAM_ID", "SIWA_KEY_ID", "SIWA_KEY", "SIWA_CLIENT_IDS", "SIWA_PUBLIC_URL",
        "SIWA_APPLE_URL", "SIWA_APPLE_IS_EMULATOR", "SIWA_SEALING_KEYS",
        MailSettings.serverName, MailSettings.senderName, "HTTPS_PROXY",
    ]

    /// The errors of all settings that the other checks do not cover.
    private func remainder(hasFailure: Bool) -> [DiagnosticFinding] {
        do {
            _ = try AccountsServerConfiguration(reader: reader)
            return [Check("other settings").ok("no mistake found")]
        } catch {
            // The errors of the checks above are not repeated.
            return error.mistakes.filter { mistake in
                let name = mistake.variable.replacing(/_FILE$/, with: "")
                return !hasFailure || !Self.checkedNames.contains(name)
            }
            .map { Check("other settings").failure($0) }
        }
    }
}

extension AccountsServerDiagnostics {
    /// The settings that can be read, and the findings about the others.
    private func settings() -> (DiagnosticSettings, [DiagnosticFinding]) {
        var settings = DiagnosticSettings()
        var unreadable: [DiagnosticFinding] = []
        settings.teamID = values.optional("SIWA_TEAM_ID") ?? ""
        settings.keyID = values.optional("SIWA_KEY_ID") ?? ""
        settings.clientIDs = values.list("SIWA_CLIENT_IDS")
        settings.servicesIDs = values.list("SIWA_SERVICES_ID")
        do {
            settings.keyText = try values.keyText()
            settings.keyFileName = keyFile.map { URL(filePath: $0).lastPathComponent }
        } catch {
            unreadable.append(Check("key file").failure(error))
        }
        do {
            settings.service = try AccountsServerConfiguration.service(values)
        } catch {
            settings.service.issuer =
                values.optional("SIWA_APPLE_ISSUER") ?? settings.service.issuer
            settings.isAddressKnown = false
            unreadable.append(Check("Apple's address").failure(error))
        }
        let publicURL = publicURL
        do {
            try AccountsServerConfiguration.requirePublicURL(values)
        } catch {
            unreadable.append(Check("public URL").failure(error))
        }
        if !settings.servicesIDs.isEmpty, let publicURL {
            let apps = try? AndroidApps(values)
            settings.redirectURIs =
                [publicURL + WebPath.callback] + (apps?.redirectURIs(at: publicURL) ?? [])
        }
        return (settings, unreadable)
    }

    private var keyFile: String? { values.optional("SIWA_KEY_FILE") }

    /// How requests reach Apple, when a proxy is configured.
    private func way(to service: AppleService) -> [DiagnosticFinding] {
        do {
            guard let proxy = try AppleProxy(values) else { return [] }
            let host = service.url.host() ?? ""
            let isUsed = service.url.scheme == "https" && proxy.applies(to: host)
            return [
                Check("proxy").ok(
                    "requests to \(host) go \(isUsed ? "through \(proxy)" : "directly")"
                )
            ]
        } catch {
            return [Check("proxy").failure(error)]
        }
    }

    private var trustedProxies: [DiagnosticFinding] {
        guard let proxies = try? TrustedProxies(values.list(TrustedProxies.settingName)),
            let mistake = proxies.mistake(publicURL: values.optional("SIWA_PUBLIC_URL") ?? "")
        else { return [] }
        return [Check("trusted proxies").failure(mistake)]
    }

    private var publicURL: String? {
        values.optional("SIWA_PUBLIC_URL").map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    /// The files with secrets that every user of the machine can open.
    private var openFiles: [DiagnosticFinding] {
        [("key file's mode", keyFile), ("settings file's mode", secretFile)].compactMap {
            (name, path) -> DiagnosticFinding? in
            // A symbolic link has a mode of its own, which means nothing.
            let file = path.map { URL(filePath: $0).resolvingSymlinksInPath().path }
            let attributes = file.flatMap { try? FileManager.default.attributesOfItem(atPath: $0) }
            guard let permissions = attributes?[.posixPermissions] as? Int, permissions & 0o007 != 0
            else { return nil }
            return Check(name).warning(
                "every user of this machine can read it; run chmod 600, or 640 with the server's group"
            )
        }
    }

    private var sealingKeys: DiagnosticFinding {
        do {
            let sealer = try AccountsServerConfiguration.sealer(reader: reader)
            return Check("sealing keys").ok("AES-256; \(sealer.sealingKeyID) encrypts")
        } catch {
            return Check("sealing keys").failure(error)
        }
    }

    /// Checks that the mail server accepts a session; sends no email.
    private func outgoingMail() async -> [DiagnosticFinding] {
        let check = Check("outgoing mail")
        var mistakes = MistakeList()
        let settings = MailSettings(values, &mistakes)
        guard mistakes.isEmpty else { return mistakes.all.map { check.failure($0) } }
        guard let settings else {
            return [check.ok("none; set SIWA_SMTP_URL and SIWA_MAIL_FROM to enable it")]
        }
        do {
            try await SMTPTransport(to: settings.server).check(greetingAs: settings.sender.domain)
            return [
                check.ok(
                    "\(settings.server) responds; only a test email shows whether it accepts mail from \(settings.sender.domain)"
                )
            ]
        } catch {
            return [check.failure("\(error.code): \(error.hint)")]
        }
    }

    /// Inspects the database without changes; another finding reports a URL that cannot be read.
    private func database() async -> [DiagnosticFinding] {
        guard let address = try? DatabaseAddress(reader: reader) else { return [] }
        let sealer = try? AccountsServerConfiguration.sealer(reader: reader)
        switch address {
        case .sqlite(let path):
            let facts = await SQLiteFacts(inspecting: path, sealer: sealer)
            return SQLiteDiagnostics(facts: facts).findings
        case .postgreSQL(let settings):
            do throws(AccountStoreError) {
                let facts = try await PostgreSQLFacts(
                    inspecting: settings,
                    sealer: sealer,
                    time: time
                )
                return PostgreSQLDiagnostics(facts: facts, settings: settings).findings
            } catch {
                return [PostgreSQLDiagnostics.unreachable(error)]
            }
        }
    }
}

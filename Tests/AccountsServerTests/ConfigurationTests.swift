import Accounts
import AccountsServer
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@Suite struct ConfigurationTests {
    private func configuration(_ changes: [String: String?]) throws -> AccountsServerConfiguration {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var values = try TestSettings.values(in: folder)
        for (name, value) in changes { values[name] = value }
        return try AccountsServerConfiguration(values: values)
    }

    @Test func usualSettingsAreAccepted() throws {
        let configuration = try configuration([:])
        #expect(configuration.appName == "Juice")
        #expect(configuration.servicesID == "com.example.juice.web")
        #expect(configuration.nativeClientIDs == ["com.example.juice"])
        #expect(configuration.apple.clientIDs == ["com.example.juice", "com.example.juice.web"])
        #expect(configuration.apple.service.issuer == "https://appleid.apple.com")
        #expect(configuration.database == .sqlite(path: "siwa.sqlite"))
        #expect(!configuration.requiresNonce)
        #expect(
            configuration.origins.map(\.redirectURI)
                == ["https://juice.example.com/sign-in/apple/callback"]
        )
    }

    /// Values that are refused.
    private static let wrongValues: [(String, String?)] = [
        ("SIWA_TEAM_ID", nil), ("SIWA_TEAM_ID", "short"), ("SIWA_KEY_ID", nil),
        ("SIWA_KEY_ID", "abc"), ("SIWA_KEY_FILE", nil), ("SIWA_KEY_FILE", "/nowhere/key.p8"),
        ("SIWA_KEY_FILE", "/dev/null"), ("SIWA_CLIENT_IDS", "com.example.juice.web"),
        ("SIWA_CLIENT_IDS", "not an id"), ("SIWA_PUBLIC_URL", nil),
        ("SIWA_PUBLIC_URL", "http://juice.example.com"),
        ("SIWA_PUBLIC_URL", "https://juice.example.com/path"),
        ("SIWA_PUBLIC_URL", "juice.example.com"), ("SIWA_DATABASE_URL", "mysql://root:pw@db"),
        ("SIWA_DATABASE_URL", "postgres://root:pw@db"),
        ("SIWA_DATABASE_URL", "sqlite:"), ("SIWA_APPLE_URL", "http://apple.example.com"),
        ("SIWA_APPLE_BROWSER_URL", "ftp://apple"),
        ("SIWA_APPLE_BROWSER_URL", "http://apple:8081"), ("SIWA_APPLE_IS_EMULATOR", "yes"),
        ("SIWA_SEALING_KEYS", nil),
        ("SIWA_SEALING_KEYS", "k1:short"), ("SIWA_REQUIRE_NONCE", "yes"),
        ("SIWA_APP_NAME", String(repeating: "J", count: 51)),
        ("SIWA_APP_REDIRECTS", "com.example.juice:/signed-in"),
        ("SIWA_APP_REDIRECTS", "a b=com.example.juice:/signed-in"),
        ("SIWA_APP_REDIRECTS", "desk=juice:/signed-in"),
        ("SIWA_APP_REDIRECTS", "desk=http://127.0.0.1:8080/signed-in"),
        ("SIWA_APP_REDIRECTS", "desk=http://example.com/signed-in"),
        ("SIWA_APP_REDIRECTS", "desk=https://example.com/signed-in?x"),
        ("SIWA_APP_REDIRECTS", "desk=https://maya@example.com/signed-in"),
        ("SIWA_APP_REDIRECTS", "desk=com.example.juice:/signed-in#x"),
        ("SIWA_APP_REDIRECTS", "desk=com.example.juice:/" + String(repeating: "x", count: 512)),
        (
            "SIWA_APP_REDIRECTS",
            Array(repeating: "desk=com.example.juice:/a", count: 101).joined(separator: ",")
        ),
        ("SIWA_ALLOWED_ORIGINS", "*"), ("SIWA_ALLOWED_ORIGINS", "null"),
        ("SIWA_ALLOWED_ORIGINS", "https://*.example.com"),
        ("SIWA_ALLOWED_ORIGINS", "http://shop.example.com"),
        ("SIWA_ALLOWED_ORIGINS", "capacitor://localhost/app"),
        ("SIWA_ALLOWED_ORIGINS", "https://shop.example.com/app"),
        ("SIWA_ALLOWED_ORIGINS", "https://maya@shop.example.com"),
        (
            "SIWA_ALLOWED_ORIGINS",
            Array(repeating: "https://a.example", count: 101).joined(separator: ",")
        ),
        ("SIWA_APP_IDS", "com.example.juice"), ("SIWA_APP_IDS", "AB12CD34EF."),
        (
            "SIWA_APP_IDS",
            Array(repeating: "AB12CD34EF.a", count: 101).joined(separator: ",")
        ),
        ("SIWA_ANDROID_PACKAGES", "juice"),
        (
            "SIWA_ANDROID_PACKAGES",
            (0...100).map { "com.example.a\($0)" }.joined(separator: ",")
        ),
        ("HTTPS_PROXY", "https://proxy:3128"), ("HTTPS_PROXY", "proxy"),
        ("HTTPS_PROXY", "socks5://proxy:1080"), ("HTTPS_PROXY", "http://root:pw@db:99999"),
        ("HTTPS_PROXY", "http://proxy:3128/path"), ("HTTPS_PROXY", "http://root:pw@:3128"),
        ("SIWA_SMTP_URL_FILE", "/nowhere/smtp"), ("SIWA_DATABASE_URL_FILE", "/dev/null"),
        ("SIWA_DATABASE_URL_FILE", "/"), ("SIWA_DATABASE_URL_FILE", "/dev/zero"),
        ("SIWA_TOKEN_AUDIENCES", "orders,orders"), ("SIWA_TOKEN_AUDIENCES", "an order"),
        ("SIWA_TOKEN_AUDIENCES", "https:"), ("SIWA_TOKEN_AUDIENCES", "//api.example.com"),
        ("SIWA_TOKEN_AUDIENCES", "https://" + String(repeating: "x", count: 248)),
        ("SIWA_TOKEN_AUDIENCES", (0...100).map { "a\($0)" }.joined(separator: ",")),
        ("SIWA_INTROSPECTION_SECRETS", "orders"),
        ("SIWA_INTROSPECTION_SECRETS", "orders:" + String(repeating: "s", count: 31)),
        ("SIWA_INTROSPECTION_SECRETS", "orders:" + String(repeating: "/", count: 32)),
        ("SIWA_INTROSPECTION_SECRETS", "my orders:" + String(repeating: "s", count: 32)),
        (
            "SIWA_INTROSPECTION_SECRETS",
            Array(repeating: "orders:" + String(repeating: "s", count: 32), count: 3)
                .joined(separator: ",")
        ),
        ("SIWA_BRAND_LOGO", "/nowhere/logo.svg"), ("SIWA_BRAND_LOGO", "/dev/null"),
        ("SIWA_BRAND_LOGO", "/"), ("SIWA_BRAND_COLOR", "orange"),
        ("SIWA_BRAND_COLOR", "#fff"), ("SIWA_BRAND_COLOR", "#ffcc00"),
        ("SIWA_TERMS_URL", "terms"), ("SIWA_TERMS_URL", "javascript:alert(1)"),
        ("SIWA_PRIVACY_URL", "http://www.example.com/privacy"),
        ("SIWA_PRIVACY_URL", "https://maya@example.com/"),
        ("SIWA_SUPPORT_URL", "https:///support"),
        ("SIWA_SUPPORT_URL", "https://example.com/" + String(repeating: "x", count: 2_000)),
        ("SIWA_AUDIT_DAYS", "0"), ("SIWA_SESSION_IDLE_DAYS", "0"), ("SIWA_SESSION_DAYS", "3661"),
        ("SIWA_AUDIT_DAYS", "3661"), ("SIWA_AUDIT_DAYS", "a year"),
        ("SIWA_VALIDATIONS_PER_MINUTE", "0"), ("SIWA_VALIDATIONS_PER_MINUTE", "60001"),
        ("SIWA_VALIDATIONS_PER_MINUTE", "1.5"),
        ("SIWA_RELAY_DOMAINS", "@relay.example"), ("SIWA_RELAY_DOMAINS", "relay"),
        ("SIWA_RELAY_DOMAINS", Array(repeating: "a.b", count: 101).joined(separator: ",")),
        ("SIWA_LOG_LEVEL", "loud"), ("SIWA_LOG_FORMAT", "xml"),
        ("SIWA_TRUSTED_PROXIES", "10.0.0.0/33"), ("SIWA_METRICS_NETWORKS", "none, 10.0.0.1"),
    ]

    @Test(arguments: wrongValues)
    func mistakeNamesItsVariableAndItsFix(_ name: String, _ value: String?) throws {
        let errors = #expect(throws: ConfigurationErrors.self) { try configuration([name: value]) }
        #expect(errors?.mistakes.map(\.variable) == [name])
        #expect(errors?.mistakes.first?.fix.isEmpty == false)
        #expect(errors?.description.contains("root:pw") == false)
    }

    @Test(
        "The public URL is required by whatever sends it to others, and only then",
        arguments: [
            ["SIWA_SERVICES_ID": "com.example.juice.web"],
            ["SIWA_SMTP_URL": "smtp://127.0.0.1:1", "SIWA_MAIL_FROM": "juice@example.com"],
            ["SIWA_TOKEN_AUDIENCES": "orders"],
            ["SIWA_INTROSPECTION_SECRETS": "orders:" + String(repeating: "s", count: 32)],
            ["SIWA_APP_REDIRECTS": "desk=com.example.desk:/signed-in"],
        ]
    )
    func publicURLIsRequired(_ settings: [String: String]) throws {
        var changes: [String: String?] = ["SIWA_PUBLIC_URL": nil, "SIWA_SERVICES_ID": nil]
        #expect(try configuration(changes).origins.map(\.serialized) == ["http://localhost"])
        for (name, value) in settings { changes[name] = value }
        let errors = #expect(throws: ConfigurationErrors.self) { try configuration(changes) }
        #expect(errors?.mistakes.map(\.variable) == ["SIWA_PUBLIC_URL"])
        let named = settings.keys.filter { errors?.mistakes.first?.message.contains($0) == true }
        #expect(named == settings.keys.filter { $0 != "SIWA_MAIL_FROM" })
        changes["SIWA_PUBLIC_URL"] = "https://juice.example.com"
        #expect(try configuration(changes).origins.count == 1)
    }

    @Test func appsAndTheirAddressesAreRead() throws {
        let setting =
            "com.example.juice=com.example.juice:/signed-in, desk=https://juice.example.com/desk ,"
            + "desk=com.example.desk://signed-in"
        let configuration = try configuration(["SIWA_APP_REDIRECTS": setting])
        #expect(
            configuration.appRedirects.addresses == [
                "com.example.juice": ["com.example.juice:/signed-in"],
                "desk": ["https://juice.example.com/desk", "com.example.desk://signed-in"],
            ]
        )
        #expect(try self.configuration([:]).appRedirects.addresses == ["com.example.juice": []])
    }

    @Test func originsAndServicesIDsAreLists() throws {
        let origins = "https://Shop.example.com:443/, http://localhost:8090, Capacitor://localhost/"
        let configuration = try configuration([
            "SIWA_ALLOWED_ORIGINS": origins,
            "SIWA_SERVICES_ID": "com.example.web, com.example.android",
        ])
        #expect(
            configuration.allowedOrigins.serialized
                == ["https://shop.example.com", "http://localhost:8090", "capacitor://localhost"]
        )
        #expect(configuration.servicesID == "com.example.web")
        #expect(configuration.apple.servicesIDs == ["com.example.web", "com.example.android"])
        let errors = #expect(throws: ConfigurationErrors.self) {
            try self.configuration(["SIWA_SERVICES_ID": "a.b,a.b"])
        }
        #expect(errors?.mistakes.map(\.variable) == ["SIWA_CLIENT_IDS"])
    }

    @Test func secretsComeFromTheirFilesButNotFromBoth() throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let usual = try TestSettings.values(in: folder)
        let file = folder.appending(path: "secret")
        let key = try String(contentsOfFile: try #require(usual["SIWA_KEY_FILE"]), encoding: .utf8)
        let values = [
            "SIWA_KEY": key.replacing("\n", with: #"\n"#),
            "SIWA_SEALING_KEYS": try #require(usual["SIWA_SEALING_KEYS"]),
            "SIWA_INTROSPECTION_SECRETS": "orders:" + String(repeating: "s", count: 64),
            "SIWA_DATABASE_URL": "sqlite:other.sqlite", "HTTPS_PROXY": "root:p%40w@proxy:3128",
            "SIWA_SMTP_URL": "smtps://root:pw@mail.example.com",
        ]
        #expect(Set(values.keys) == Setting.secretNames)
        for (name, value) in values {
            try Data("\(name == "SIWA_KEY" ? key : value)\n".utf8).write(to: file)
            var settings = usual.merging(["SIWA_MAIL_FROM": "a@example.com"]) { $1 }
            settings["SIWA_SMTP_URL"] = values["SIWA_SMTP_URL"]
            settings["SIWA_KEY_FILE"] = nil
            settings["SIWA_KEY"] = values["SIWA_KEY"]
            settings[name] = value
            let read = try AccountsServerConfiguration(values: settings)
            settings[name + "_FILE"] = file.path()
            let errors = #expect(throws: ConfigurationErrors.self) {
                try AccountsServerConfiguration(values: settings)
            }
            #expect(errors?.mistakes.map(\.variable) == [name], "\(errors as Any)")
            settings[name] = nil
            let fromFile = try AccountsServerConfiguration(values: settings)
            #expect(fromFile.database == read.database && fromFile.mail == read.mail)
            #expect(fromFile.proxy == read.proxy)
        }
    }

    @Test func relayDomainsAreAddedToApples() throws {
        let address = "x1@relay.example"
        #expect(!(try configuration([:]).apple.relayDomains.isRelayAddress(address)))
        let domains = try configuration(["SIWA_RELAY_DOMAINS": "Relay.example, b.example"])
            .apple.relayDomains
        #expect(domains.isRelayAddress(address) && domains.isRelayAddress("a@b.example"))
        #expect(domains.isRelayAddress("x1@private.icloud.com"))
    }

    @Test func auditLogIsKeptForAYearOrAsLongAsIsSaid() throws {
        #expect(try configuration([:]).rules.auditMemory == 365 * 86_400)
        #expect(try configuration(["SIWA_AUDIT_DAYS": "3660"]).rules.auditMemory == 3660 * 86_400)
        let rules = try configuration(["SIWA_SESSION_IDLE_DAYS": "7", "SIWA_SESSION_DAYS": "30"])
            .rules
        #expect(rules.sessionIdleLimit == 7 * 86_400 && rules.sessionAbsoluteLimit == 30 * 86_400)
    }

    @Test func validationsAreThreeHundredAMinuteOrAsManyAsIsSaid() throws {
        #expect(try configuration([:]).validationsPerMinute == 300)
        let most = try configuration(["SIWA_VALIDATIONS_PER_MINUTE": "60000"])
        #expect(most.validationsPerMinute == 60_000)
    }

    @Test func plainHTTPLeadsToAnEmulatorThatIsCalledSo() throws {
        let container = "http://apple:8081"
        let errors = #expect(throws: ConfigurationErrors.self) {
            try configuration(["SIWA_APPLE_URL": container])
        }
        #expect(errors?.mistakes.first?.fix.contains("SIWA_APPLE_IS_EMULATOR=true") == true)
        let emulated = try configuration([
            "SIWA_APPLE_URL": container, "SIWA_APPLE_IS_EMULATOR": "true",
        ])
        #expect(emulated.apple.service.url.absoluteString == container)
        #expect(emulated.apple.service.isEmulator)
        for local in ["http://appleid.localhost:8081", "http://127.0.0.1:8081"] {
            let service = try configuration(["SIWA_APPLE_URL": local]).apple.service
            #expect(service.url.absoluteString == local && !service.isEmulator)
        }
    }

    @Test func androidAppsNeedAServicesID() {
        let errors = #expect(throws: ConfigurationErrors.self) {
            try configuration(["SIWA_SERVICES_ID": nil, "SIWA_ANDROID_PACKAGES": "com.example.a"])
        }
        #expect(errors?.mistakes.map(\.variable) == ["SIWA_ANDROID_PACKAGES"])
    }

    @Test func noClientAtAllIsRefused() {
        let errors = #expect(throws: ConfigurationErrors.self) {
            try configuration(["SIWA_CLIENT_IDS": nil, "SIWA_SERVICES_ID": nil])
        }
        #expect(errors?.mistakes.map(\.variable) == ["SIWA_CLIENT_IDS"])
    }

    @Test func allMistakesAreToldAtOnce() {
        // The others accept any text, or hide a mistake in another setting.
        let others: Set = [
            "SIWA_SERVICES_ID", "SIWA_APPLE_ISSUER", "SIWA_APPLE_IS_EMULATOR", "NO_PROXY",
            "SIWA_KEY",
        ]
        let tested = Set(Setting.all.map(\.name)).subtracting(others)
        var wrong: [String: String?] = ["SIWA_SMTP_URL": "mail", "SIWA_MAIL_FROM": "Juice"]
        wrong.merge(Self.wrongValues.filter { tested.contains($0.0) }) { first, _ in first }
        #expect(Set(wrong.keys) == tested, "each setting needs a wrong value")
        let errors = #expect(throws: ConfigurationErrors.self) { try configuration(wrong) }
        #expect(errors?.mistakes.map(\.variable).sorted() == tested.sorted())
    }

    @Test func localNamesMayDoWithoutTLS() throws {
        let configuration = try configuration([
            "SIWA_PUBLIC_URL": "http://juice.localhost:8080",
            "SIWA_APPLE_URL": "http://127.0.0.1:8081",
            "SIWA_APPLE_BROWSER_URL": "http://appleid.localhost:8081",
        ])
        #expect(configuration.origins.first?.serialized == "http://juice.localhost:8080")
        #expect(configuration.apple.service.browserURL.host() == "appleid.localhost")
    }

    @Test func addressesOfIPv6KeepTheirBrackets() throws {
        for url in ["http://[::1]:8080", "https://[2001:db8::1]"] {
            let configuration = try configuration(["SIWA_PUBLIC_URL": url])
            #expect(configuration.origins.first?.serialized == url)
        }
    }
}

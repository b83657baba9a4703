import Accounts
import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension Setting {
    /// All settings, in the order of the reference.
    package static let all = apple + server + pages + apps + mail + operation

    private static let apple: [Setting] = [
        .shared("SIWA_TEAM_ID", "required", "the Apple team, ten characters"),
        .shared("SIWA_KEY_ID", "required", "the identifier of the team's key, ten characters"),
        .shared(
            "SIWA_KEY_FILE",
            "required without `SIWA_KEY`",
            "the path of the key's `.p8` file"
        ),
        .shared(
            "SIWA_KEY",
            "required without `SIWA_KEY_FILE`",
            "the text of the `.p8` file, for platforms that have only environment variables"
        ).secret,
        .shared(
            "SIWA_CLIENT_IDS",
            "required without `SIWA_SERVICES_ID`",
            "the apps' bundle identifiers; at most 100 clients, including the Services IDs"
        ),
        .shared(
            "SIWA_SERVICES_ID",
            "required without `SIWA_CLIENT_IDS`",
            "the Services IDs of the team; the first is the one of the server's pages"
        ),
        .shared(
            "SIWA_APPLE_URL",
            "default `https://appleid.apple.com`",
            "Apple's URL, as the server reaches it"
        ),
        .shared(
            "SIWA_APPLE_BROWSER_URL",
            "default `SIWA_APPLE_URL`",
            "Apple's URL, as browsers reach it"
        ),
        .shared(
            "SIWA_APPLE_ISSUER",
            "default `https://appleid.apple.com`",
            "the issuer that tokens must have"
        ),
        .shared(
            "SIWA_APPLE_IS_EMULATOR",
            "default `false`",
            "`true`: the three settings above are those of an emulator. Never in production"
        ),
        .value(
            "SIWA_RELAY_DOMAINS",
            "domains of [relay addresses](accounts.md#email-addresses) beside Apple's two, at most 100",
            RelayDomains.init
        ) { $0.apple.relayDomains = $1 },
        .value(
            "HTTPS_PROXY",
            "the [proxy to Apple](#the-proxy-to-apple): `http://user:password@host:port`",
            AppleProxy.init
        ) { $0.proxy = $1 }.secret,
        .shared(
            "NO_PROXY",
            "optional",
            "hosts that are reached directly, such as `example.com`, or `*` for all"
        ),
    ]

    private static let server: [Setting] = [
        .shared(
            "SIWA_PUBLIC_URL",
            """
            required with `SIWA_SERVICES_ID`, `SIWA_SMTP_URL`, `SIWA_TOKEN_AUDIENCES`, `SIWA_INTROSPECTION_SECRETS` \
            or `SIWA_APP_REDIRECTS`; otherwise default `http://localhost`
            """,
            "this server's URL in browsers, such as `https://accounts.example.com`"
        ),
        .shared(
            "SIWA_SEALING_KEYS",
            "required",
            "the keys that encrypt Apple's tokens and pending sign-ins: `id:base64` of 32 bytes"
        ).secret,
        .shared(
            "SIWA_DATABASE_URL",
            "default `\(DatabaseAddress.standardURL)`",
            "`sqlite:PATH`, or [`postgres://USER@HOST/DATABASE`](../how-to/operations.md#postgresql)"
        ).secret,
        .list(
            TrustedProxies.settingName,
            "IP addresses and networks of the proxies in front; required behind a proxy for TLS",
            TrustedProxies.init
        ) { $0.trustedProxies = $1 },
    ]

    private static let pages: [Setting] =
        [
            .text(
                "SIWA_APP_NAME",
                need: "default `\(AccountsServerConfiguration.standardAppName)`",
                "the app's name on the pages and in mail, at most 50 characters",
                AccountsServerConfiguration.checkedAppName
            ) { $0.appName = $1 },
            .text(
                BrandLogo.settingName,
                need: "default a letter of `SIWA_APP_NAME`",
                "the path of the logo on the pages: an SVG or PNG file of at most 100 KB",
                BrandLogo.init
            ) { $0.brand.logo = $1 }.inDemo,
            .text(
                AccentColors.settingName,
                need: "default orange",
                "the color of links and buttons on the pages and in mail, such as `#1d4ed8`",
                AccentColors.init
            ) { $0.brand.accent = $1 }.inDemo,
        ]
        + Brand.Link.allCases.map { link in
            Setting.text(
                link.rawValue,
                "the `https` URL of your \(link.meaning), which every page links to",
                { (text: String) throws(ConfigurationError) in try Brand.address(text, of: link) }
            ) { $0.brand.links[link] = $1 }.inDemo
        }

    private static let apps: [Setting] = [
        .boolean(
            "SIWA_REQUIRE_NONCE",
            "native apps must use a nonce from `POST /api/nonces`"
        ) { $0.requiresNonce = $1 },
        .list(
            AllowedOrigins.settingName,
            "origins whose pages [may call the API](accounts.md#pages-of-other-origins), at most 100",
            AllowedOrigins.init
        ) { $0.allowedOrigins = $1 }.inDemo,
        .list(
            AssociatedApps.settingName,
            "the apps that Apple's systems associate with this host: `TEAM.bundle`, at most 100",
            AssociatedApps.init
        ) { $0.associatedApps = $1 },
        .value(
            AppRedirects.settingName,
            "redirect URIs of apps that use the browser: `client=scheme:/path`, at most 100",
            AppRedirects.init
        ) { $0.appRedirects = $1 }.inDemo,
        .value(
            AndroidApps.settingName,
            "the Android apps to lead back to: `package`, or `package=scheme://host/path`",
            AndroidApps.init
        ) { $0.androidApps = $1 }.inDemo,
        .list(
            TokenAudiences.settingName,
            "your own services, for which sessions get access tokens: URIs or names, at most 100",
            TokenAudiences.init
        ) { $0.tokenAudiences = $1 }.inDemo,
        .list(
            IntrospectionSecrets.settingName,
            "the services that may ask `POST /api/introspect`: `service:secret`, at most 100",
            IntrospectionSecrets.init
        ) { $0.introspectionSecrets = $1 }.secret.inDemo,
    ]

    private static let mail: [Setting] = [
        .shared(
            MailSettings.serverName,
            "optional",
            "the [mail server's URL](#the-mail-servers-url); without it, the server sends no mail"
        ).secret,
        .shared(
            MailSettings.senderName,
            "required with `SIWA_SMTP_URL`",
            "the sender of mail, such as `Juice <no-reply@example.com>`"
        ),
    ]

    private static let operation: [Setting] = [
        .number(
            "SIWA_SESSION_IDLE_DAYS",
            1...3660,
            default: 60,
            "after how many days without use a session ends"
        ) { $0.rules.sessionIdleLimit = TimeInterval($1) * 86_400 },
        .number(
            "SIWA_SESSION_DAYS",
            1...3660,
            default: 365,
            "after how many days a session ends at most, used or not"
        ) { $0.rules.sessionAbsoluteLimit = TimeInterval($1) * 86_400 },
        .number(
            "SIWA_AUDIT_DAYS",
            1...3660,
            default: 365,
            "for how many days the server keeps the [audit log](../how-to/operations.md#the-audit-log)"
        ) { $0.rules.auditMemory = TimeInterval($1) * 86_400 },
        .number(
            "SIWA_VALIDATIONS_PER_MINUTE",
            1...60_000,
            default: TokenValidationService.defaultCountPerMinute,
            "how many refresh tokens this process validates at Apple a minute"
        ) { $0.validationsPerMinute = $1 },
        .choice(
            "SIWA_LOG_LEVEL",
            default: Logger.Level.info,
            "the lowest level that is logged"
        ) { $0.log.level = $1 },
        .choice(
            "SIWA_LOG_FORMAT",
            default: LogSettings.Format.text,
            "lines of text, or one JSON object on each line"
        ) { $0.log.format = $1 },
        .list(
            MetricsReaders.settingName,
            need: "default this machine",
            "IP addresses and networks that can read `GET /metrics` directly; `none` for no one",
            MetricsReaders.init
        ) { $0.metricsReaders = $1 },
    ]
}

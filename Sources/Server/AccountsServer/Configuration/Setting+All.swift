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
            """
            the text of the `.p8` file, for platforms that have only environment variables. A line break can be the \
            two characters `\\n`
            """
        ).secret,
        .shared(
            "SIWA_CLIENT_IDS",
            "required without `SIWA_SERVICES_ID`",
            "the apps' bundle identifiers; at most 100 clients, including the Services IDs"
        ),
        .shared(
            "SIWA_SERVICES_ID",
            "required without `SIWA_CLIENT_IDS`",
            """
            the Services IDs of the team. The first is the one of the server's pages; without it, they have no Apple \
            button. The API accepts tokens of all of them, with a nonce from `POST /api/nonces`. An identifier cannot \
            be both here and in `SIWA_CLIENT_IDS`
            """
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
            """
            `true`: the three settings above are those of an emulator, and its URLs may be plain `http` on other \
            machines, such as `http://apple:8081`. Never in production
            """
        ),
        .value(
            "SIWA_RELAY_DOMAINS",
            """
            further domains in which every email address is a [relay address](accounts.md#email-addresses), at most \
            100. Apple's own two are known
            """,
            RelayDomains.init
        ) { $0.apple.relayDomains = $1 },
        .value(
            "HTTPS_PROXY",
            """
            the [HTTP proxy for requests to Apple](#the-proxy-to-apple): `http://host:port` or \
            `http://user:password@host:port`, percent-encoded
            """,
            AppleProxy.init
        ) { $0.proxy = $1 }.secret,
        .shared(
            "NO_PROXY",
            "optional",
            """
            hosts that are reached directly: `example.com` or `.example.com`, with all names below them, or `*` for \
            all. Networks such as `10.0.0.0/8` match nothing
            """
        ),
    ]

    private static let server: [Setting] = [
        .shared(
            "SIWA_PUBLIC_URL",
            """
            required with `SIWA_SERVICES_ID`, `SIWA_SMTP_URL`, `SIWA_TOKEN_AUDIENCES`, `SIWA_INTROSPECTION_SECRETS` \
            or `SIWA_APP_REDIRECTS`; otherwise default `http://localhost`
            """,
            """
            this server's URL in browsers, such as `https://accounts.example.com`. Plain `http` is allowed for this \
            machine only
            """
        ),
        .shared(
            "SIWA_SEALING_KEYS",
            "required",
            """
            the sealing keys, which encrypt Apple's tokens and pending sign-ins: `id:base64` of 32 bytes each \
            (`openssl rand -base64 32`). The first encrypts, all decrypt
            """
        ).secret,
        .shared(
            "SIWA_DATABASE_URL",
            "default `\(DatabaseAddress.standardURL)`",
            """
            `sqlite:PATH` (a relative path starts at the working directory), or \
            [`postgres://USER@HOST/DATABASE`](../how-to/operations.md#postgresql)
            """
        ).secret,
        .list(
            TrustedProxies.settingName,
            """
            IP addresses and networks of the proxies in front. Only from them does the server accept \
            `X-Forwarded-For`, with or without ports, for the client's IP address in logs, the audit log and rate \
            limits. Required behind a proxy for TLS: without it \
            [all clients count as one](../how-to/operations.md#rate-limits), and `siwa doctor` fails
            """,
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
                """
                the path of the logo on the pages: an SVG or PNG file of at most 100 KB. The server reads it when it \
                starts and serves it itself. It refuses an SVG with scripts. For dark pages, the SVG can have a media \
                query for `prefers-color-scheme`
                """,
                BrandLogo.init
            ) { $0.brand.logo = $1 }.inDemo,
            .text(
                AccentColors.settingName,
                need: "default orange",
                """
                the color of links and buttons on the pages and in mail, such as `#1d4ed8`. Its contrast with light \
                pages must be at least 4.5:1. Otherwise the server does not start, and its error names the ratio and \
                a darker color. Dark pages use a lighter shade
                """,
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
            """
            native apps must use a nonce from `POST /api/nonces`, as tokens of a Services ID always must
            """
        ) { $0.requiresNonce = $1 },
        .list(
            AllowedOrigins.settingName,
            """
            origins whose pages [may call the API](accounts.md#pages-of-other-origins), at most 100, such as \
            `https://shop.example.com`, or `capacitor://localhost` for the web view of an app. No wildcards; `http` \
            only on loopback
            """,
            AllowedOrigins.init
        ) { $0.allowedOrigins = $1 }.inDemo,
        .list(
            AssociatedApps.settingName,
            """
            the apps that Apple's systems associate with this server's host, at most 100: `TEAM.bundle`, such as \
            `AB12CD34EF.com.example.juice`. The server lists them in `/.well-known/apple-app-site-association`: for \
            stored passwords, and for the `https` redirect URIs of `SIWA_APP_REDIRECTS` at this host
            """,
            AssociatedApps.init
        ) { $0.associatedApps = $1 },
        .value(
            AppRedirects.settingName,
            """
            the redirect URIs of apps that sign in \
            [through the browser](accounts.md#apps-that-sign-in-through-the-browser): `client=scheme:/path` or \
            `client=https://host/path`, at most 100. The apps in `SIWA_CLIENT_IDS` can redirect to loopback ports \
            without this setting
            """,
            AppRedirects.init
        ) { $0.appRedirects = $1 }.inDemo,
        .value(
            AndroidApps.settingName,
            """
            the [Android apps](../how-to/run-the-accounts-server.md#flutter-and-capacitor-apps-on-android) to which \
            `POST /sign-in/android/callback` leads back, at most 100: `com.example.app` for Flutter, \
            `com.example.app=scheme://host/path` for Capacitor. It needs `SIWA_SERVICES_ID`. A scheme that browsers \
            or Android handle themselves is refused
            """,
            AndroidApps.init
        ) { $0.androidApps = $1 }.inDemo,
        .list(
            TokenAudiences.settingName,
            """
            your own services, for which sessions get \
            [access tokens](accounts.md#tokens-for-your-own-services): URIs such as `https://api.example.com`, or \
            names, at most 100 of 255 bytes
            """,
            TokenAudiences.init
        ) { $0.tokenAudiences = $1 }.inDemo,
        .list(
            IntrospectionSecrets.settingName,
            """
            the services that may ask `POST /api/introspect`: `service:secret`, at most 100. A secret has 32 to 255 \
            letters, digits and `.-_~` (`openssl rand -hex 32`). A service may have two secrets, so that one can \
            replace the other without an interruption
            """,
            IntrospectionSecrets.init
        ) { $0.introspectionSecrets = $1 }.secret.inDemo,
    ]

    private static let mail: [Setting] = [
        .shared(
            MailSettings.serverName,
            "optional",
            """
            the [mail server's URL](#the-mail-servers-url), such as `smtps://user:password@mail.example.com`. Without \
            it, the server sends no mail, and features that need mail are not offered
            """
        ).secret,
        .shared(
            MailSettings.senderName,
            "required with `SIWA_SMTP_URL`",
            """
            the sender of mail, such as `Juice <no-reply@example.com>`. Register its domain or email address at Apple \
            under *Sign in with Apple for Email Communication*; otherwise Apple's relay refuses the mail
            """
        ),
    ]

    private static let operation: [Setting] = [
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
            """
            how many refresh tokens this process [validates at Apple](accounts.md#when-sessions-end) a minute. 300 a \
            minute are 432 000 a day; [more accounts](../explanation/scale.md#parts-that-do-not-limit) need more
            """
        ) { $0.validationsPerMinute = $1 },
        .choice(
            "SIWA_LOG_LEVEL",
            default: Logger.Level.info,
            """
            the lowest level that is logged. `info` logs a line for each request and each entry of the audit log
            """
        ) { $0.log.level = $1 },
        .choice(
            "SIWA_LOG_FORMAT",
            default: LogSettings.Format.text,
            "lines of text, or one JSON object on each line"
        ) { $0.log.format = $1 },
        .list(
            MetricsReaders.settingName,
            need: "default this machine",
            """
            IP addresses and networks that can read [`GET /metrics`](../how-to/operations.md#metrics) directly; \
            `none` for no one
            """,
            MetricsReaders.init
        ) { $0.metricsReaders = $1 },
    ]
}

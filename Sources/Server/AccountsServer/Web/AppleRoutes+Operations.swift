import Accounts
import AppleIdentity
import HTTPTypes
import OpenAPIDescription
import SignInWithApple

/// The OpenAPI descriptions of the routes that the library adds.
extension AppleRoutes {
    var described: [DescribedRoute] {
        [
            DescribedRoute(method: .post, path: Self.nativePath, operation: Self.nativeSignIn),
            DescribedRoute(method: .put, path: Self.linkPath, operation: Self.link),
            DescribedRoute(
                method: .post,
                path: "/" + Self.notificationPath,
                operation: Self.notification
            ),
        ]
    }

    private static let fields: [Operation.Field] = [
        .required(
            "identityToken",
            .signedToken("The identity token from the system's sheet or Apple's popup.")
        ),
        .optional(
            "authorizationCode",
            .text(
                "The authorization code that came with it.",
                lengths: 0...RouteLimits.maximumCodeCount
            ).orNull
        ),
        .optional(
            "redirectUri",
            .text(
                "The redirect URI of a Services ID's code; its origin must be allowed here.",
                lengths: 1...RouteLimits.maximumRedirectURIByteCount,
                // Plain http, only on a loopback host, is for the emulator.
                pattern: #"^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?([/?][!"$-\[\]-~]*)?$"#
            ).orNull
        ),
        .optional(
            "codeVerifier",
            .text(
                "The PKCE verifier (RFC 7636), if the code was requested with a challenge.",
                lengths: CodeVerifier.counts,
                pattern: CodeVerifier.pattern
            ).orNull
        ),
        .optional(
            "nonce",
            .text(
                "A nonce from `POST /api/nonces`; of a bundle ID also the app's own.",
                lengths: 0...RouteLimits.maximumNonceCount
            ).orNull
        ),
        .optional(
            "fullName",
            Schema.object(
                PersonName.componentNames.map { name in
                    let isRead = name == "givenName" || name == "familyName"
                    return .optional(name, isRead ? .namePart().orNull : .anything)
                },
                isClosed: true
            ).orNull.described("PersonNameComponents; only the given and family name are used.")
        ),
        .optional(
            "resumeToken",
            .text(
                "The resumeToken of the previous error.",
                lengths: 0...RouteLimits.maximumResumeTokenCount
            ).orNull
        ),
    ]

    /// Unlike other token errors, this one may disappear: Apple may have rotated its keys.
    private static let tokenKeyNotPublished = SignInError.Code.tokenKeyNotPublished.rawValue

    private static let tokenRefusals: [HTTPResponse.Status: [String]] = [
        .unauthorized: SignInError.Code.all.map(\.rawValue)
            .filter { $0.hasPrefix("token_") && $0 != tokenKeyNotPublished }
            + ["identity_mismatch", "apple_refused_grant"],
        .unprocessableContent: ["field_too_long", "code_required", "name_too_long"]
            + [
                "redirect_uri_required", "redirect_uri_unexpected", "redirect_uri_invalid",
                "redirect_uri_not_allowed", "code_verifier_invalid",
            ],
        .badGateway: ["apple_refused_client", "apple_refused_request"],
        .serviceUnavailable: [
            "apple_unavailable", "apple_keys_unavailable", "apple_answer_unreadable",
            tokenKeyNotPublished, "sign_in_unfinished",
        ],
    ]

    private static let accountRefusals: [AccountsError.Code] = [
        .tokenReplayed, .consentRevoked, .nonceRequired, .nonceUnknown, .nonceUsed, .nonceExpired,
    ]

    private static let nativeSignIn = Operation(
        id: "signInWithApple",
        group: .signingIn,
        summary: "Sign in with the credential from the system's sheet or Apple's popup",
        fields: fields,
        answer: .created("Signed in; the first sign-in creates the account.", .named(.signIn)),
        refusals: accountRefusals + [.accountExists],
        otherRefusals: tokenRefusals
    )

    private static let link = Operation(
        id: "linkApple",
        group: .account,
        summary: "Link an Apple Account",
        access: .session,
        fields: fields,
        answer: .ok("The account.", .named(.account)),
        refusals: accountRefusals + [
            .recentSignInRequired, .appleLinkedElsewhere, .appleLinkExists,
        ],
        otherRefusals: tokenRefusals
    )

    private static let notification = Operation(
        id: "receiveNotification",
        group: .operation,
        summary: "Receive Apple's server-to-server notifications",
        fields: [
            .required("payload", .signedToken("A JSON Web Token signed by Apple."))
        ],
        answer: Operation.Answer(status: .ok, description: "Received and processed."),
        refusals: [.storeUnavailable],
        otherRefusals: [
            .badRequest: ["notification_malformed", "token_malformed"],
            .serviceUnavailable: ["notification_unfinished", "apple_keys_unavailable"],
        ]
    )
}

import AppleIdentity
import Foundation
import HTMLPages
import HTTPTypes
import OpenAPIDescription
import Testing

@testable import Accounts
@testable import AccountsServer
@testable import SignInWithApple

/// A page with everything that it may show, to be rendered in any language.
struct PageSample: Sendable {
    let name: String
    let draw: @Sendable (PageRenderer, PageLanguage) throws -> String

    init(_ name: String, _ page: @escaping @Sendable () throws -> any Page) {
        self.name = name
        draw = { try $0.draw(try page(), in: $1) }
    }
}

/// Every page in all its states.
enum PageSamples {
    static let now = Date(timeIntervalSince1970: 1_769_000_000)

    static let all: [PageSample] =
        [interface, forwarding] + signIn + newAccount + passwords + proofs + apps + accounts + [
            strangePassword
        ]
        + appleLinks + refusedForms
        + refusals

    static let offer = SignInOffer(hasAppleButton: true, hasMail: true)
    private static let bareOffer = SignInOffer(hasAppleButton: false, hasMail: false)

    static let typed = PostedForm(fields: [
        ("username", "maya <b>"), ("password", "secret-1"), ("new_password", "secret-2"),
        ("current_password", "secret-3"), ("name", "Maya <b>"), ("email", "maya@<b>"),
    ])

    private static let interface = PageSample("interface") {
        let operation = Operation(
            id: "sample",
            group: .account,
            summary: "Change <b>",
            access: .session,
            fields: [
                .required("name", .text("The <b> name.").orNull), .optional("more", .anything),
            ],
            answer: .ok("The account.", .named(.account)),
            refusals: [.nameEmpty]
        )
        let routes = [DescribedRoute(method: .patch, path: "/api/account", operation: operation)]
        return InterfacePage(described: routes)
    }

    static func error(_ code: String, _ values: [String: String] = [:]) -> ServerError {
        var error = ServerError(code, .unprocessableContent, code, hint: "")
        error.parameters = values
        return error
    }

    private static let signIn =
        ([nil] + Notice.allCases.map(Optional.some)).map { notice in
            PageSample("sign-in-\(notice?.rawValue ?? "plain")") {
                SignInPage(offer: offer, notice: notice)
            }
        } + [
            PageSample("sign-in-bare") { SignInPage(offer: bareOffer) },
            PageSample("sign-in-reset") {
                SignInPage(offer: offer, username: "<b>", appleLinkedAt: now)
            },
            PageSample("sign-in-undone") {
                SignInPage(
                    offer: offer,
                    notice: .changeUndone,
                    warnings: ["undoneElsewhere", "undoneUsernameTaken"]
                )
            },
            PageSample("sign-in-confirming") {
                SignInPage(offer: offer, confirmedAddress: "<b>@example.com")
            },
            PageSample("sign-in-returning") { SignInPage(offer: offer, returnPath: "/?a=<b>#c") },
            PageSample("sign-in-refused") {
                SignInPage(offer: offer, refused: (error("credentials_invalid"), typed))
            },
            PageSample("sign-in-account-refused") {
                SignInPage(offer: offer, refusedAccount: (error("username_taken"), typed))
            },
        ]
        + [1, 30, 60, 61, 3_600, 7_200].map { seconds in
            PageSample("sign-in-wait-\(seconds)") {
                let error = error("too_many_attempts", ["seconds": "\(seconds)"])
                return SignInPage(offer: offer, refused: (error, typed))
            }
        }

    private static let app = AppOrigin(
        requestID: "r<b>",
        clientID: "com.example.<b>",
        redirect: RedirectAddress(
            text: "com.example.juice:/signed-in",
            kind: .privateUse
        )
    )

    private static let apps =
        [apple(username: "maya"), own(), Account(id: AccountID("a1"), createdAt: now)].enumerated()
        .map { number, account in
            PageSample("app-\(number)") { AppConfirmationPage(app: app, visitor: visitor(account)) }
        } + [
            PageSample("app-return") { AppReturnPage(app: app, address: "x.y:/?a=<b>") },
            PageSample("app-sign-in") { SignInPage(offer: offer, app: app) },
        ]

    private static let newAccount = [
        PageSample("create-account") { NewAccountPage(offer: offer) },
        PageSample("create-account-bare") { NewAccountPage(offer: bareOffer) },
        PageSample("create-account-refused") {
            NewAccountPage(
                offer: offer,
                refused: (error("password_too_short", ["minimum": "8"]), typed)
            )
        },
    ]

    private static let passwords = [
        PageSample("forgot-password") { ForgottenPasswordPage() },
        PageSample("forgot-password-sent") { ForgottenPasswordPage(isSent: true) },
        PageSample("forgot-password-refused") {
            ForgottenPasswordPage(refused: (error("store_unavailable"), typed))
        },
        PageSample("reset-password") { NewPasswordPage(token: "t<b>") },
        PageSample("reset-password-refused") {
            NewPasswordPage(token: "t1", refused: (error("password_too_common"), typed))
        },
        PageSample("undo-change") {
            ChangeUndoPage(token: "t<b>", account: apple())
        },
        PageSample("undo-change-password") {
            ChangeUndoPage(token: "t1", account: own())
        },
        PageSample("undo-change-refused") {
            ChangeUndoPage(
                token: "t1",
                account: apple(username: "maya <b>"),
                refused: (error("password_too_common"), typed)
            )
        },
        PageSample("verify-email") { VerificationPage(token: "t1", address: "<b>@example.com") },
    ]

    private static let proofs = [
        ("both", apple(username: "maya"), offer), ("apple", apple(), offer),
        ("password", own(), offer), ("none", apple(), bareOffer),
        ("remaining", apple(hasRefreshToken: false), offer),
    ]
    .flatMap { name, account, offer in
        let proof = FreshProof(account: account, offer: offer, returnPath: "/account/delete")
        return [
            PageSample("confirm-\(name)") { ConfirmationPage(proof: proof) },
            PageSample("confirm-refused-\(name)") {
                ConfirmationPage(proof: proof, refused: (error("credentials_invalid"), typed))
            },
            PageSample("deletion-\(name)") { DeletionPage(proof: proof, isRecent: false) },
            PageSample("deletion-fresh-\(name)") { DeletionPage(proof: proof, isRecent: true) },
        ]
    }

    private static let accounts: [PageSample] = [
        ("relay", apple(email: address("x1@privaterelay.appleid.com", isRelay: true))),
        ("stopped", apple(revokedAt: now, isMailForwarded: false)),
        ("not-shared", apple(email: nil)),
        ("unverified-at-apple", apple(email: address("maya@example.com", isVerified: false))),
        ("own-unsent", own(email: address("m@example.com", isVerified: false, isOwn: true))),
        (
            "own-awaiting",
            own(
                email: address("m@example.com", isVerified: false, isOwn: true),
                pending: "m@example.com"
            )
        ),
        ("own", own(email: address("m@example.com", isOwn: true))),
        ("own-without-email", own()),
        ("own-changing", own(email: address("m@example.com", isOwn: true), pending: "n@<b>")),
        ("both", apple(username: "maya")),
        ("bare", Account(id: AccountID("a1"), createdAt: now)),
    ]
    .flatMap { name, account in
        [
            PageSample("account-\(name)") { page(account) },
            PageSample("account-old-\(name)") { page(account, isRecent: false, offer: bareOffer) },
            PageSample("account-email-\(name)") { page(account, open: .email) },
            PageSample("account-password-\(name)") { page(account, open: .password) },
        ]
    }

    private static let strangePassword = PageSample("account-password-strange") {
        var account = apple(username: "maya")
        account.passwordSetAt = now.addingTimeInterval(1)
        return page(account, open: .password)
    }

    private static let appleLinks: [PageSample] = [
        ("none", own()),
        ("own", own(email: address("m@<b>", isOwn: true))),
        ("unconfirmed", own(email: address("m@<b>", isVerified: false, isOwn: true))),
        ("shared", apple(username: "maya <b>")),
        ("remaining", apple(email: nil, username: "maya", hasRefreshToken: false)),
        ("kept", apple(email: address("m@<b>", isOwn: true), username: "maya")),
        ("relay", apple(email: address("x1@<b>", isRelay: true), username: "maya")),
    ]
    .map { name, account in
        PageSample("apple-link-\(name)") {
            AppleLinkPage(visitor: visitor(account), offer: offer)
        }
    }

    private static let refusedForms: [PageSample] = [
        (nil, "name_too_long"), (.email, "email_invalid"), (.email, "too_many_attempts"),
        (.password, "credentials_invalid"), (.password, "password_too_long"),
    ]
    .map { (part: AccountPage.Part?, code: String) in
        PageSample("account-refused-\(code)") {
            var page = Self.page(own(email: address("m@example.com", isOwn: true)))
            let values = ["maximum": "128", "seconds": "600"]
            page.refused = AccountPage.Refusal(
                part: part,
                error: error(code, values),
                posted: typed
            )
            return page
        }
    }

    private static let refusals =
        [
            "not_found", "state_expired", "name_too_long", "store_unavailable",
            "recent_sign_in_required", "internal_error", "link_invalid", "form_unreadable",
            "state_mismatch",
        ]
        .map { code in
            PageSample("refusal-\(code)") {
                let status = code == "internal_error" ? 500 : 400
                return RefusalPage(error: ServerError(code, .init(code: status), "", hint: ""))
            }
        }
        + [
            PageSample("refusal-linking") {
                var refusal = RefusedSignIn(AccountsError.appleLinkExists)
                refusal.returnPath = Notice.appleLinked.accountPath
                return RefusalPage(error: ServerError(refusal))
            }
        ]
        + remedies.enumerated().map { index, remedy in
            PageSample("refusal-remedy-\(index)") {
                var error = error("form_unreadable")
                error.remedy = remedy
                return RefusalPage(error: error)
            }
        }

    private static let forwarding = PageSample("callback-forwarding") {
        let state = "0123456789abcdef.1700000000.0123456789abcdef0123456789abcdef"
        let form = Data("state=\(state)&code=c1&id_token=t1".utf8)
        return CallbackForwardingPage(
            forwarding: try #require(try CallbackForwarding(formBody: form))
        )
    }

    private static let remedies: [ServerError.Remedy] =
        [
            .signInAgain(path: "/sign-in/apple"), .proceed(path: "/sign-in", button: "signInLink"),
            .proceed(path: "/forgot-password", button: "newLinkButton"),
            .proceed(path: "/confirm", button: "confirmLink"),
        ]
        + [true, false].map { asksName in
            .postAgain(
                RefusedSignIn.RepeatForm(
                    action: "/sign-in/apple/callback/again",
                    fields: [FormField(name: "callback", value: "k1.AAAA")],
                    asksName: asksName
                )
            )
        }

    static func page(
        _ account: Account,
        isRecent: Bool = true,
        offer: SignInOffer = offer,
        open part: AccountPage.Part? = nil
    ) -> AccountPage {
        let ages: [TimeInterval] = [0, 30, 600, 3_600, 86_400, 864_000]
        let sessions = ages.enumerated().map { index, age in
            session(
                "s\(index)",
                of: account,
                device: index == 1 ? "" : "Safari on Mac",
                age: age,
                method: [.apple, .password, SignInMethod(rawValue: "newer")][index % 3]
            )
        }
        return AccountPage(
            visitor: SignedInSession(session: sessions[0], account: account),
            sessions: sessions,
            offer: offer,
            isRecent: isRecent,
            now: now,
            notice: isRecent ? nil : .linkSent,
            isSaved: isRecent,
            openPart: part
        )
    }

    private static func visitor(_ account: Account) -> SignedInSession {
        SignedInSession(session: session("s<b>", of: account, device: "", age: 0), account: account)
    }

    private static func session(
        _ id: String,
        of account: Account,
        device: String,
        age: TimeInterval,
        method: SignInMethod = .apple
    ) -> Session {
        let then = now.addingTimeInterval(-age)
        return Session(
            id: SessionID(id),
            accountID: account.id,
            device: device,
            signInMethod: method,
            createdAt: then,
            signedInAt: then,
            lastUsedAt: then,
            expiresAt: now.addingTimeInterval(86_400)
        )
    }

    static func address(
        _ text: String,
        isVerified: Bool = true,
        isRelay: Bool = false,
        isOwn: Bool = false
    ) -> EmailAddress {
        EmailAddress(text: text, isVerified: isVerified, isPrivateRelay: isRelay, isOwn: isOwn)
    }

    static func own(email: EmailAddress? = nil, pending: String? = nil) -> Account {
        Account(
            id: AccountID("a2"),
            email: email,
            pendingEmail: pending.map { PendingEmail(address: $0, session: "s1") },
            username: "maya",
            createdAt: now
        )
    }

    static func apple(
        email: EmailAddress? = address("maya@example.com"),
        username: String? = nil,
        revokedAt: Date? = nil,
        isMailForwarded: Bool = true,
        hasRefreshToken: Bool = true
    ) -> Account {
        let person = ApplePerson(issuer: "https://appleid.apple.com", user: UserID("000001.a.b"))
        return Account(
            id: AccountID("a1"),
            name: "Maya <b>Lindgren</b>",
            email: email,
            isMailForwarded: isMailForwarded,
            username: username,
            apple: AppleLink(
                person: person,
                clientID: ClientID("com.example.juice"),
                linkedAt: now,
                consentedAt: now,
                revokedAt: revokedAt,
                hasRefreshToken: hasRefreshToken
            ),
            createdAt: now
        )
    }
}

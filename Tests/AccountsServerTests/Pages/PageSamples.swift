import Accounts
import AppleIdentity
import Foundation
import HTTPTypes

@testable import AccountsServer
@testable import SignInWithAppleHummingbird

/// A page with everything it may show, to be drawn in any language.
struct PageSample: Sendable {
    let name: String
    let draw: @Sendable (PageRenderer, PageLanguage) throws -> String

    init(_ name: String, _ page: @escaping @Sendable () -> any Page) {
        self.name = name
        draw = { try $0.draw(page(), in: $1) }
    }
}

/// Every page in all its states.
enum PageSamples {
    static let now = Date(timeIntervalSince1970: 1_769_000_000)

    static let all: [PageSample] = signIn + deletion + account + refusals

    private static let signIn =
        ([nil] + Notice.allCases.map(Optional.some)).map { notice in
            PageSample("sign-in-\(notice?.rawValue ?? "plain")") {
                SignInPage(notice: notice, hasAppleButton: true)
            }
        } + [
            PageSample("sign-in-app-only") { SignInPage(notice: nil, hasAppleButton: false) }
        ]

    private static let deletion = [true, false].map { isRecent in
        PageSample("deletion-\(isRecent ? "fresh" : "old")") {
            DeletionPage(account: apple(), isRecent: isRecent)
        }
    }

    private static let account = [
        PageSample("account-relay") {
            page(apple(email: address("x1@privaterelay.appleid.com", isRelay: true)))
        },
        PageSample("account-stopped") {
            page(apple(revokedAt: now, isMailForwarded: false))
        },
        PageSample("account-bare") { page(Account(id: AccountID("a1"), createdAt: now)) },
        PageSample("account-unverified") {
            page(apple(email: address("maya@example.com", isVerified: false)), isSaved: true)
        },
        PageSample("account-name-refused") {
            var page = Self.page(apple())
            let error = AccountsError(.nameTooLong, parameters: ["maximum": "200"], hint: "")
            page.refusedName = ("Maya", ServerError(error))
            return page
        },
    ]

    private static let refusals =
        [
            "not_found", "state_expired", "name_too_long", "store_unavailable",
            "recent_sign_in_required", "internal_error",
        ]
        .map { code in
            PageSample("refusal-\(code)") {
                let status: Int = code == "internal_error" ? 500 : 400
                return RefusalPage(error: ServerError(code, .init(code: status), "", hint: ""))
            }
        } + [
            PageSample("refusal-other") {
                RefusalPage(error: ServerError("form_unreadable", .badRequest, "", hint: ""))
            },
            PageSample("refusal-sign-in") {
                var error = ServerError("state_mismatch", .badRequest, "", hint: "")
                error.remedy = .signInAgain(path: "/sign-in/apple")
                return RefusalPage(error: error)
            },
        ]
        + [true, false].map { asksName in
            PageSample("refusal-repeat-\(asksName)") {
                var error = ServerError("name_too_long", .unprocessableContent, "", hint: "")
                error.remedy = .postAgain(
                    RefusedSignIn.RepeatForm(
                        action: "/sign-in/apple/callback/again",
                        fields: [("callback", "k1.AAAA")],
                        asksName: asksName
                    )
                )
                return RefusalPage(error: error)
            }
        }

    private static func page(_ account: Account, isSaved: Bool = false) -> AccountPage {
        let ages: [TimeInterval] = [0, 30, 600, 3_600, 86_400, 864_000]
        let sessions = ages.enumerated().map { index, age in
            session("s\(index)", of: account, device: index == 1 ? "" : "Safari on Mac", age: age)
        }
        return AccountPage(
            visitor: SignedInSession(session: sessions[0], account: account),
            sessions: sessions,
            isSaved: isSaved,
            now: now
        )
    }

    private static func session(
        _ id: String,
        of account: Account,
        device: String,
        age: TimeInterval
    ) -> Session {
        let then = now.addingTimeInterval(-age)
        return Session(
            id: SessionID(id),
            accountID: account.id,
            device: device,
            createdAt: then,
            signedInAt: then,
            lastUsedAt: then,
            expiresAt: now.addingTimeInterval(86_400)
        )
    }

    static func address(
        _ text: String,
        isVerified: Bool = true,
        isRelay: Bool = false
    ) -> EmailAddress {
        EmailAddress(text: text, isVerified: isVerified, isPrivateRelay: isRelay)
    }

    static func apple(
        email: EmailAddress? = address("maya@example.com"),
        revokedAt: Date? = nil,
        isMailForwarded: Bool = true
    ) -> Account {
        let person = ApplePerson(issuer: "https://appleid.apple.com", user: UserID("000001.a.b"))
        return Account(
            id: AccountID("a1"),
            name: "Maya <b>Lindgren</b>",
            email: email,
            isMailForwarded: isMailForwarded,
            apple: AppleLink(
                person: person,
                clientID: ClientID("com.example.juice"),
                linkedAt: now,
                consentedAt: now,
                revokedAt: revokedAt
            ),
            createdAt: now
        )
    }
}

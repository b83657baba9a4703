import Foundation

@testable import AppleEmulator

/// One page of each kind, with texts from outside wherever there are some.
enum AccountSamples {
    static let all = pages()

    /// Accounts and apps that are not like the demo's, and every notice.
    static let others: [(name: String, page: EmulatorPage)] = {
        let emails: [AccountApp.Email] = [
            .notShared, .shared("maya@example.com"),
            .hidden(relayAddress: nil, isForwarded: false),
        ]
        let apps = emails.map { app("Juice", sharedName: nil, email: $0) }
        var contents = apps.map { AppleAccountPage.Content.app($0, of: holder("Juice")) }
        contents += [.overview(holder("Juice"), apps: apps), .overview(holder(""), apps: [])]
        let pages =
            contents.map { AppleAccountPage(content: $0) }
            + AccountNotice.allCases.map {
                AppleAccountPage(content: .overview(holder("Juice"), apps: []), notice: $0)
            }
        return pages.map { ("account", .account($0)) }
    }()

    private static func app(
        _ name: String,
        sharedName: String?,
        email: AccountApp.Email
    ) -> AccountApp {
        AccountApp(
            group: "com.example.juice",
            name: name,
            developer: name,
            otherNames: [name],
            grantedAt: Date(timeIntervalSince1970: 1_769_000_000),
            usedAt: Date(timeIntervalSince1970: 1_769_000_000),
            sharedName: sharedName,
            email: email
        )
    }

    private static func holder(_ name: String) -> AccountHolder {
        AccountHolder(
            name: name,
            email: "maya@example.com",
            addresses: ["maya@example.com", "\(name)@work.example.com"],
            forwardingAddress: "maya@example.com"
        )
    }

    static func pages(_ text: String = "Juice") -> [(name: String, page: EmulatorPage)] {
        let relayAddress = "a1@privaterelay.appleid.com"
        let app = app(
            text,
            sharedName: text,
            email: .hidden(relayAddress: relayAddress, isForwarded: true)
        )
        let holder = holder(text)
        let known = SheetSamples.people(haveButtons: true)
        let contents: [(String, AppleAccountPage.Content)] = [
            ("account-sign-in", .signIn(transaction: "t1", email: text, knownPeople: known)),
            ("account-two-factor", .twoFactor(transaction: "t1", email: text, digits: "482913")),
            ("account", .overview(holder, apps: [app])), ("account-app", .app(app, of: holder)),
            ("account-stop", .stopUsing(app)), ("account-delete", .delete(holder, apps: [app])),
            ("account-failure", .failure(.unknownApp, reason: text)),
        ]
        return contents.map { name, content in
            (name, .account(AppleAccountPage(content: content, token: "f1", notice: .forwardTo)))
        }
    }
}

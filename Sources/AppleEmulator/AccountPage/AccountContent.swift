import AppleIdentity
import Foundation

/// What a template needs to know of a page of the account.
struct AccountContent {
    /// The template's name.
    let template: String
    /// The values it shows.
    let values: [String: Any]

    /// - Parameters:
    ///   - page: what is shown.
    ///   - text: in which words.
    ///   - token: what the page's forms carry.
    ///   - notice: what was done last.
    ///   - error: what was wrong with the last answer.
    init(
        _ page: AccountPage,
        text: AccountText,
        token: String,
        notice: AccountNotice? = nil,
        error: AccountText.Word? = nil
    ) {
        let (template, title, own) = Self.parts(of: page, text)
        self.template = template
        let isTitled = title != text[.title]
        values = own.merging([
            "title": isTitled ? "\(title) · \(text[.title])" : title,
            "heading": title,
            "styleSheet": PageTemplates.accountStyleSheet,
            "text": text.values,
            "token": token,
            "hasNotice": notice != nil,
            "notice": notice.map { text[$0.text] } ?? "",
            "hasError": error != nil,
            "error": error.map { text[$0] } ?? "",
        ]) { own, _ in own }
        .merging(text.language.frame) { own, _ in own }
    }

    private typealias Parts = (template: String, title: String, values: [String: Any])

    private static func parts(of page: AccountPage, _ text: AccountText) -> Parts {
        switch page {
        case .signIn(let attempt, let email, let knownEmails):
            (
                "account-sign-in", text[.signInTitle],
                [
                    "attempt": attempt, "email": email, "isEmailMissing": email.isEmpty,
                    "hasKnownEmails": !knownEmails.isEmpty, "knownEmails": knownEmails,
                ]
            )
        case .twoFactor(let attempt, let email, let digits):
            (
                "account-two-factor", text[.twoFactorTitle],
                ["attempt": attempt, "lead": text(.twoFactorLead, email), "digits": digits]
            )
        case .overview(let person, let apps):
            ("account", text[.title], values(of: person, apps, text))
        case .app(let app, let person):
            ("account-app", app.name, values(of: app, of: person, text))
        case .stopUsing(let app):
            ("account-stop", text(.stopTitle, app.name), values(of: app, text))
        case .delete(let person, let apps):
            ("account-delete", text[.deleteTitle], values(of: person, apps, text))
        case .failure(let refusal):
            (
                "account-failure", text[.failureTitle],
                ["sentence": text[refusal.text], "reason": refusal.reason]
            )
        }
    }

    private static func values(
        of person: Person,
        _ apps: [AccountApp],
        _ text: AccountText
    ) -> [String: Any] {
        let name = person.name.displayName
        let email = person.account.email
        let addresses = person.account.addresses
        return [
            "personName": name.isEmpty ? email : name,
            "hasPersonName": !name.isEmpty,
            "personInitial": initial(of: name.isEmpty ? email : name),
            "email": email,
            "hasApps": !apps.isEmpty,
            "apps": apps.map { values(of: $0, text) },
            "hasChoice": addresses.count > 1,
            "addresses": addresses.map {
                ["address": $0, "isChosen": $0 == person.forwardingAddress] as [String: Any]
            },
            "deleteLead": text(.deleteLead, email),
        ]
    }

    private static func values(of app: AccountApp, _ text: AccountText) -> [String: Any] {
        [
            "group": app.group.rawValue,
            "appName": app.name,
            "initial": initial(of: app.name),
            "appAddress": AccountRoute.app.address(of: app.group.rawValue),
            "stopAddress": AccountRoute.stopUsing.address(of: app.group.rawValue),
            "stopUsing": text(.stopUsing, app.name),
            "sinceLine": text(.appSince, text.day(app.grantedAt)),
            "emailLine": text[emailWord(app.email)],
        ]
    }

    private static func values(
        of app: AccountApp,
        of person: Person,
        _ text: AccountText
    ) -> [String: Any] {
        var values = values(of: app, text)
        values["grantedAt"] = text.day(app.grantedAt)
        values["usedAt"] = text.day(app.usedAt)
        values["grantedAtMachine"] = app.grantedAt.formatted(.iso8601)
        values["usedAtMachine"] = app.usedAt.formatted(.iso8601)
        values["developer"] = app.developer
        values["hasOthers"] = !app.otherNames.isEmpty
        values["others"] = app.otherNames
        values["sharedName"] = app.sharedName ?? text[.notShared]
        switch app.email {
        case .notShared: values["sharedEmail"] = text[.notShared]
        case .shared(let address): values["sharedEmail"] = address
        case .hidden(let relayAddress, let isForwarded):
            values["isHidden"] = true
            values["sharedEmail"] = relayAddress ?? text[.hidesEmail]
            values["isForwarded"] = isForwarded
            values["forwardingLine"] =
                isForwarded
                ? text(.forwardedTo, person.forwardingAddress) : text[.notForwarded]
        }
        return values
    }

    private static func emailWord(_ email: AccountApp.Email) -> AccountText.Word {
        switch email {
        case .notShared: .sharesNoEmail
        case .shared: .sharesEmail
        case .hidden: .hidesEmail
        }
    }

    private static func initial(of name: String) -> String {
        name.first.map { String($0).uppercased() } ?? ""
    }
}

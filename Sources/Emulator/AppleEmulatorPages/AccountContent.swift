import AppleEmulator
import AppleIdentity
import Foundation
import HTMLPages

/// The values for the template of an account page.
struct AccountContent {
    let template: String
    let values: [String: Any]

    init(_ page: AppleAccountPage, _ words: PageStrings, _ language: PageLanguage) {
        let (template, title, own) = Self.parts(of: page.content, words, language)
        let name = words["accountTitle"]
        self.template = template
        values = own.merging([
            "title": title == name ? title : "\(title) · \(name)", "heading": title,
            "styleSheet": PageTemplates.accountStyleSheet, "token": page.token,
            "hasNotice": page.notice != nil, "notice": page.notice.map { words[$0.rawValue] } ?? "",
            "hasError": page.problem != nil, "error": page.problem.map { words[$0.rawValue] } ?? "",
        ]) { own, _ in own }
    }

    private typealias Parts = (template: String, title: String, values: [String: Any])

    private static func parts(
        of content: AppleAccountPage.Content,
        _ words: PageStrings,
        _ language: PageLanguage
    ) -> Parts {
        switch content {
        case .signIn(let transaction, let email, let knownPeople):
            var values = TemplateValues.signIn(email, knownPeople, words)
            values["transaction"] = transaction
            return ("account-sign-in", words["accountSignInTitle"], values)
        case .twoFactor(let transaction, let email, let digits):
            return (
                "account-two-factor", words["twoFactorHeading"],
                [
                    "transaction": transaction, "digits": digits,
                    "lead": words.text("accountTwoFactorLead", about: email),
                ]
            )
        case .overview(let holder, let apps):
            return ("account", words["accountTitle"], values(of: holder, apps, words, language))
        case .app(let app, let holder):
            return ("account-app", app.name, values(of: app, of: holder, words, language))
        case .stopUsing(let app):
            let title = words.text("stopTitle", about: app.name)
            return ("account-stop", title, values(of: app, words, language))
        case .delete(let holder, let apps):
            return (
                "account-delete", words["deleteTitle"], values(of: holder, apps, words, language)
            )
        case .failure(let problem, let reason):
            return (
                "account-failure", words["accountFailureTitle"],
                ["sentence": words[problem.rawValue], "reason": reason]
            )
        }
    }

    private static func values(
        of holder: AccountHolder,
        _ apps: [AccountApp],
        _ words: PageStrings,
        _ language: PageLanguage
    ) -> [String: Any] {
        let addresses = holder.addresses.map {
            ["address": $0, "isChosen": $0 == holder.forwardingAddress] as [String: Any]
        }
        let own: [String: Any] = [
            "hasApps": !apps.isEmpty, "apps": apps.map { values(of: $0, words, language) },
            "hasChoice": addresses.count > 1, "addresses": addresses,
            "deleteLead": words.text("deleteLead", about: holder.email),
        ]
        return own.merging(TemplateValues.person(holder.name, email: holder.email)) { own, _ in own
        }
    }

    private static func values(
        of app: AccountApp,
        _ words: PageStrings,
        _ language: PageLanguage
    ) -> [String: Any] {
        [
            "group": app.group.rawValue, "appName": app.name,
            "appAddress": AccountRoute.app.address(of: app.group.rawValue),
            "stopAddress": AccountRoute.stopUsing.address(of: app.group.rawValue),
            "stopUsing": words.text("stopLink", about: app.name),
            "sinceLine": words.text("appSince", about: language.day(app.grantedAt)),
            "emailLine": words[emailWord(app.email)],
        ].merging(TemplateValues.icon(of: app.name)) { own, _ in own }
    }

    private static func values(
        of app: AccountApp,
        of holder: AccountHolder,
        _ words: PageStrings,
        _ language: PageLanguage
    ) -> [String: Any] {
        var values = values(of: app, words, language)
        values["grantedAt"] = language.day(app.grantedAt)
        values["usedAt"] = language.day(app.usedAt)
        values["grantedAtMachine"] = app.grantedAt.formatted(.iso8601)
        values["usedAtMachine"] = app.usedAt.formatted(.iso8601)
        values["developer"] = app.developer
        values["hasOthers"] = !app.otherNames.isEmpty
        values["others"] = app.otherNames
        values["sharedName"] = app.sharedName ?? words["notShared"]
        switch app.email {
        case .notShared: values["sharedEmail"] = words["notShared"]
        case .shared(let address): values["sharedEmail"] = address
        case .hidden(let relayAddress, let isForwarded):
            values["isHidden"] = true
            values["sharedEmail"] = relayAddress ?? words["hidesEmail"]
            values["isForwarded"] = isForwarded
            values["forwardingLine"] =
                isForwarded
                ? words.text("forwardedTo", about: holder.forwardingAddress) : words["notForwarded"]
        }
        return values
    }

    private static func emailWord(_ email: AccountApp.Email) -> String {
        switch email {
        case .notShared: "sharesNoEmail"
        case .shared: "sharesEmail"
        case .hidden: "hidesEmail"
        }
    }
}

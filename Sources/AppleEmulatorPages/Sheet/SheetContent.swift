import AppleEmulator
import Foundation
import HTMLPages

/// The values for the template of a page of the sheet.
struct SheetContent {
    typealias Values = [String: Any]

    let template: String
    let values: Values

    private init(_ template: String, title: String, _ values: Values) {
        self.template = template
        self.values = values.merging(
            ["title": title, "styleSheet": PageTemplates.styleSheet]
        ) { own, _ in own }
    }

    init(_ page: SheetPage, _ words: PageStrings) {
        let app = ["app": page.appName]
        var values: Values = [
            "transaction": page.transaction, "initial": PageText.initial(of: page.appName),
            "hasError": page.problem != nil,
            "error": page.problem.map { words.text($0.rawValue, Self.limits) } ?? "",
        ]
        func fill(_ name: String, _ word: String, _ given: [String: String] = [:]) {
            values[name] = Self.pieces(words, word, given.isEmpty ? app : given)
        }
        switch page.step {
        case .chooser(let accounts):
            fill("heading", "chooserHeading")
            values["accounts"] = accounts.map(Self.values)
            self.init("chooser", title: words.text("chooserHeading", app), values)
        case .signIn(let email, let knownEmails):
            fill("heading", "signInHeading")
            fill("passwordHint", "passwordHint", PageText.password)
            values.merge(PageText.signIn(email, knownEmails)) { own, _ in own }
            self.init("sign-in", title: words.text("signInHeading", app), values)
        case .twoFactor(let email, let digits):
            fill("lead", "twoFactorLead", ["app": page.appName, "email": email])
            values["digits"] = digits
            self.init("two-factor", title: words["twoFactorTitle"], values)
        case .consent(let consent):
            fill("heading", "consentHeading")
            fill("lead", "consentLead", ["email": consent.email])
            values.merge(Self.values(of: consent)) { own, _ in own }
            self.init("consent", title: words.text("consentTitle", app), values)
        case .returning(let account):
            fill("heading", "returningHeading")
            values.merge(Self.values(of: account)) { own, _ in own }
            self.init("returning", title: words.text("returningTitle", app), values)
        }
    }

    init(_ page: FormPostPage, _ words: PageStrings) {
        let app = ["app": page.appName]
        let host = URL(string: page.redirectURI)?.host() ?? page.redirectURI
        self.init(
            "form-post",
            title: words.text("formPostHeading", app),
            [
                "initial": PageText.initial(of: page.appName),
                "heading": Self.pieces(words, "formPostHeading", app),
                "lead": Self.pieces(words, "formPostLead", ["host": host]),
                "button": Self.pieces(words, "returningTitle", app),
                "redirectURI": page.redirectURI,
                "fields": page.fields.map { ["name": $0.name, "value": $0.value] },
                "script": PageSecurity.submitScript,
            ]
        )
    }

    init(_ page: WebMessagePage, _ words: PageStrings) {
        let app = ["app": page.appName]
        self.init(
            "web-message",
            title: words.text("formPostHeading", app),
            [
                "initial": PageText.initial(of: page.appName),
                "heading": Self.pieces(words, "formPostHeading", app),
                "lead": Self.pieces(words, "webMessageLead", ["origin": page.targetOrigin]),
                "message": page.message, "origin": page.targetOrigin,
                "script": PageSecurity.messageScript,
            ]
        )
    }

    init(_ page: FailurePage, _ words: PageStrings) {
        let text = page.text ?? page.problem.map { words[$0.rawValue] } ?? ""
        self.init(
            "failure",
            title: words["failureHeading"],
            [
                "code": page.code, "text": text, "hasText": !text.isEmpty,
                "hint": page.hint, "hasHint": !page.hint.isEmpty,
            ]
        )
    }
}

// MARK: Pieces of pages

extension SheetContent {
    /// The numbers in the texts of problems.
    private static let limits = ["count": String(ConsentPage.maximumNameCharacterCount)]

    /// A sentence in pieces; the template isolates the values, which keep their own direction.
    private static func pieces(
        _ words: PageStrings,
        _ word: String,
        _ values: [String: String]
    ) -> [Values] {
        words.pieces(of: word, values).map { ["text": $0.text, "isValue": $0.isValue] }
    }

    private static func values(of account: SheetPage.Account) -> Values {
        PageText.person(account.personName, email: account.email)
            .merging(["action": account.action]) { own, _ in own }
    }

    private static func values(of page: ConsentPage) -> Values {
        [
            "asksName": page.asksName, "givenName": page.givenName, "familyName": page.familyName,
            "asksEmail": page.asksEmail,
            "asksNothing": !page.asksName && !page.asksEmail && !page.lacksEmail,
            "isFirstApp": page.isFirstApp, "isManaged": page.isManaged && page.asksEmail,
            "lacksEmail": page.lacksEmail, "email": page.email,
            "allowsHidingEmail": !page.isManaged, "hidesEmail": page.hidesEmail && !page.isManaged,
            "isEmailUnverified": page.isEmailUnverified, "hasAddresses": page.addresses.count > 1,
            "addresses": page.addresses.map {
                ["address": $0, "isChosen": $0 == page.chosenAddress] as Values
            },
        ]
    }
}

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
            "transaction": page.transaction, "hasError": page.problem != nil,
            "error": page.problem.map { words.text($0.rawValue, Self.limits) } ?? "",
        ]
        values.merge(TemplateValues.icon(of: page.appName)) { own, _ in own }
        func fill(_ name: String, _ word: String, _ given: [String: String] = [:]) {
            values[name] = TemplateValues.pieces(of: word, given.isEmpty ? app : given, words)
        }
        switch page.step {
        case .chooser(let accounts):
            fill("heading", "chooserHeading")
            values["accounts"] = accounts.map(Self.values)
            self.init("chooser", title: words.text("chooserHeading", app), values)
        case .signIn(let email, let knownPeople):
            fill("heading", "signInHeading")
            values.merge(TemplateValues.signIn(email, knownPeople, words)) { own, _ in own }
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
                "heading": TemplateValues.pieces(of: "formPostHeading", app, words),
                "lead": TemplateValues.pieces(of: "formPostLead", ["host": host], words),
                "button": TemplateValues.pieces(of: "returningTitle", app, words),
                "redirectURI": page.redirectURI,
                "fields": page.fields.map { ["name": $0.name, "value": $0.value] },
                "script": PageSecurity.submitScript,
            ].merging(TemplateValues.icon(of: page.appName)) { own, _ in own }
        )
    }

    init(_ page: WebMessagePage, _ words: PageStrings) {
        let app = ["app": page.appName]
        self.init(
            "web-message",
            title: words.text("formPostHeading", app),
            [
                "heading": TemplateValues.pieces(of: "formPostHeading", app, words),
                "lead": TemplateValues.pieces(
                    of: "webMessageLead",
                    ["origin": page.targetOrigin],
                    words
                ),
                "message": page.message, "origin": page.targetOrigin,
                "script": PageSecurity.messageScript,
            ].merging(TemplateValues.icon(of: page.appName)) { own, _ in own }
        )
    }

    init(_ page: FailurePage, _ words: PageStrings, _ console: URL?) {
        let text = page.text ?? page.problem.map { words[$0.rawValue] } ?? ""
        var values: Values = [
            "code": page.code, "text": text, "hasText": !text.isEmpty,
            "hint": page.hint, "hasHint": !page.hint.isEmpty,
        ]
        if let missing = page.missing, let console {
            let word = missing.isClientKnown ? "registerRedirect" : "registerClient"
            let client = String(missing.clientID.prefix(64))
            values["hasRegistration"] = true
            values["registration"] = Self.address(of: missing, in: console)
            values["register"] = TemplateValues.pieces(of: word, ["client": client], words)
        }
        self.init("failure", title: words["failureHeading"], values)
    }

    /// The console's page with the form that registers what is missing.
    private static func address(of missing: MissingRegistration, in console: URL) -> String {
        guard var parts = URLComponents(url: console, resolvingAgainstBaseURL: false) else {
            return console.absoluteString
        }
        let apps = ConsoleSection.apps.path
        parts.path += missing.isClientKnown ? "\(apps)/client/\(missing.clientID)" : apps
        let items = [
            URLQueryItem(name: "client_id", value: missing.clientID),
            URLQueryItem(name: "return_url", value: missing.redirectURI),
        ]
        parts.queryItems = items
        parts.fragment = missing.isClientKnown ? "client-return_urls" : "service-client_id"
        return parts.string ?? console.absoluteString
    }

    init(homeOf console: URL?, _ words: PageStrings) {
        let heading = words["homeHeading"]
        let values: Values = [
            "console": console?.absoluteString ?? "", "hasConsole": console != nil,
        ]
        self.init(
            "home",
            title: heading,
            values.merging(TemplateValues.icon(of: heading)) { own, _ in own }
        )
    }
}

// MARK: Pieces of pages

extension SheetContent {
    /// The numbers in the texts of problems.
    private static let limits = ["count": String(ConsentPage.maximumNameCharacterCount)]

    private static func values(of account: SheetPage.Account) -> Values {
        TemplateValues.person(account.personName, email: account.email)
            .merging(["action": account.action]) { own, _ in own }
    }

    /// A regular expression for exactly a name: a changed name does not match it, and the style
    /// sheet shows the button that undoes the change.
    private static func pattern(of name: String) -> String {
        name.replacing(/[\^$\\.*+?()\[\]{}|\/]/) { "\\\($0.output)" }
    }

    private static func values(of page: ConsentPage) -> Values {
        [
            "asksName": page.asksName, "givenName": page.givenName, "familyName": page.familyName,
            "hasGivenName": !page.knownGivenName.isEmpty,
            "hasFamilyName": !page.knownFamilyName.isEmpty,
            "knownGivenName": pattern(of: page.knownGivenName),
            "knownFamilyName": pattern(of: page.knownFamilyName),
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

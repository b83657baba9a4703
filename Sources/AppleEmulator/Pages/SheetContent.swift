import Foundation

/// What a template needs to know of a page.
struct SheetContent {
    /// The template's name.
    let template: String
    /// The values it shows.
    let values: [String: Any]

    init(page: SheetPage, frame: PageFrame) {
        let (template, title, values) = Self.parts(of: page)
        self.template = template
        self.values = values.merging([
            "language": frame.language,
            "title": title,
            "styleSheet": PageTemplates.styleSheet,
        ]) { own, _ in own }
    }

    private typealias Parts = (template: String, title: String, values: [String: Any])

    private static func parts(of page: SheetPage) -> Parts {
        switch page {
        case .signIn(let page): parts(of: page)
        case .twoFactor(let page): parts(of: page)
        case .consent(let page): parts(of: page)
        case .returning(let page): parts(of: page)
        case .formPost(let page): parts(of: page)
        case .webMessage(let page): parts(of: page)
        case .failure(let page): parts(of: page)
        }
    }

    private static func parts(of page: SignInPage) -> Parts {
        var values = common(page.transaction, page.appName, error: page.error)
        values["email"] = page.email
        values["isEmailMissing"] = page.email.isEmpty
        values["hasKnownEmails"] = !page.knownEmails.isEmpty
        values["knownEmails"] = page.knownEmails
        return ("sign-in", "Sign in to \(page.appName)", values)
    }

    private static func parts(of page: TwoFactorPage) -> Parts {
        var values = common(page.transaction, page.appName, error: page.error)
        values["email"] = page.email
        values["code"] = page.code
        return ("two-factor", "Two-factor authentication", values)
    }

    private static func parts(of page: ConsentPage) -> Parts {
        var values = common(page.transaction, page.appName, error: page.error)
        values["email"] = page.email
        values["asksName"] = page.asksName
        values["givenName"] = page.givenName
        values["familyName"] = page.familyName
        values["asksEmail"] = page.asksEmail
        values["allowsHidingEmail"] = page.allowsHidingEmail
        values["hidesEmail"] = page.hidesEmail && page.allowsHidingEmail
        values["asksNothing"] = !page.asksName && !page.asksEmail
        return ("consent", "Use your account with \(page.appName)", values)
    }

    private static func parts(of page: ReturningPage) -> Parts {
        var values = common(page.transaction, page.appName, error: page.error)
        values["personName"] = page.personName.isEmpty ? page.email : page.personName
        values["hasPersonName"] = !page.personName.isEmpty
        values["email"] = page.email
        values["personInitial"] = initial(
            of: page.personName.isEmpty ? page.email : page.personName
        )
        return ("returning", "Continue to \(page.appName)", values)
    }

    private static func parts(of page: FormPostPage) -> Parts {
        let fields = page.fields.map { ["name": $0.name, "value": $0.value] }
        return (
            "form-post", "Returning to \(page.appName)",
            [
                "appName": page.appName, "initial": initial(of: page.appName),
                "redirectURI": page.redirectURI, "fields": fields,
                "host": URL(string: page.redirectURI)?.host() ?? page.redirectURI,
                "script": PageSecurity.submitScript,
            ]
        )
    }

    private static func parts(of page: WebMessagePage) -> Parts {
        (
            "web-message", "Returning to \(page.appName)",
            [
                "appName": page.appName, "initial": initial(of: page.appName),
                "message": page.message, "origin": page.targetOrigin,
                "script": PageSecurity.messageScript,
            ]
        )
    }

    private static func parts(of page: FailurePage) -> Parts {
        (
            "failure", "Sign-in not possible",
            [
                "code": page.code, "text": page.text, "hasText": !page.text.isEmpty,
                "hint": page.hint, "hasHint": !page.hint.isEmpty,
            ]
        )
    }

    private static func common(
        _ transaction: String,
        _ appName: String,
        error: String?
    ) -> [String: Any] {
        var values: [String: Any] = [
            "transaction": transaction, "appName": appName, "initial": initial(of: appName),
        ]
        values["hasError"] = error != nil
        values["error"] = error ?? ""
        return values
    }

    private static func initial(of name: String) -> String {
        name.first.map { String($0).uppercased() } ?? ""
    }
}

import Foundation

/// What a template needs to know of a page.
struct SheetContent {
    typealias Values = [String: Any]
    typealias Parts = (template: String, title: String, values: Values)

    /// The template's name.
    let template: String
    /// The values it shows.
    let values: Values

    init(page: SheetPage, language: SheetLanguage) {
        let words = language.words
        let (template, title, values) = Self.parts(of: page, words)
        self.template = template
        self.values = values.merging([
            "title": title, "styleSheet": PageTemplates.styleSheet,
        ]) { own, _ in own }
        .merging(language.frame) { own, _ in own }
    }

    private static func parts(of page: SheetPage, _ words: SheetWords) -> Parts {
        switch page {
        case .chooser(let page): parts(of: page, words)
        case .signIn(let page): parts(of: page, words)
        case .twoFactor(let page): parts(of: page, words)
        case .consent(let page): parts(of: page, words)
        case .returning(let page): parts(of: page, words)
        case .formPost(let page): parts(of: page, words)
        case .webMessage(let page): parts(of: page, words)
        case .failure(let page): parts(of: page, words)
        }
    }

    private static func parts(of page: ChooserPage, _ words: SheetWords) -> Parts {
        let app = ["app": page.appName]
        var values = common(page.transaction, page.appName, error: page.error)
        values["heading"] = pieces(words, .chooserHeading, app)
        values["accounts"] = page.accounts.map {
            person($0.personName, email: $0.email).merging(["action": $0.action]) { own, _ in own }
        }
        return ("chooser", words.text(.chooserHeading, app), values)
    }

    private static func parts(of page: SignInPage, _ words: SheetWords) -> Parts {
        let app = ["app": page.appName]
        var values = common(page.transaction, page.appName, error: page.error)
        values["heading"] = pieces(words, .signInHeading, app)
        values["email"] = page.email
        values["isEmailMissing"] = page.email.isEmpty
        values["hasKnownEmails"] = !page.knownEmails.isEmpty
        values["knownEmails"] = page.knownEmails
        values["passwordHint"] = pieces(
            words,
            .passwordHint,
            ["password": SeedPerson.standardPassword]
        )
        return ("sign-in", words.text(.signInHeading, app), values)
    }

    private static func parts(of page: TwoFactorPage, _ words: SheetWords) -> Parts {
        var values = common(page.transaction, page.appName, error: page.error)
        values["lead"] = pieces(
            words,
            .twoFactorLead,
            ["app": page.appName, "email": page.email]
        )
        values["code"] = page.code
        return ("two-factor", words[.twoFactorTitle], values)
    }

    private static func parts(of page: ReturningPage, _ words: SheetWords) -> Parts {
        let app = ["app": page.appName]
        var values = common(page.transaction, page.appName, error: page.error)
        values.merge(person(page.personName, email: page.email)) { own, _ in own }
        values["heading"] = pieces(words, .returningHeading, app)
        return ("returning", words.text(.returningTitle, app), values)
    }

    private static func parts(of page: FormPostPage, _ words: SheetWords) -> Parts {
        let app = ["app": page.appName]
        let host = URL(string: page.redirectURI)?.host() ?? page.redirectURI
        return (
            "form-post", words.text(.formPostHeading, app),
            [
                "initial": initial(of: page.appName),
                "heading": pieces(words, .formPostHeading, app),
                "lead": pieces(words, .formPostLead, ["host": host]),
                "button": pieces(words, .returningTitle, app),
                "redirectURI": page.redirectURI,
                "fields": page.fields.map { ["name": $0.name, "value": $0.value] },
                "script": PageSecurity.submitScript,
            ]
        )
    }

    private static func parts(of page: WebMessagePage, _ words: SheetWords) -> Parts {
        let app = ["app": page.appName]
        return (
            "web-message", words.text(.formPostHeading, app),
            [
                "initial": initial(of: page.appName),
                "heading": pieces(words, .formPostHeading, app),
                "lead": pieces(words, .webMessageLead, ["origin": page.targetOrigin]),
                "message": page.message, "origin": page.targetOrigin,
                "script": PageSecurity.messageScript,
            ]
        )
    }

    private static func parts(of page: FailurePage, _ words: SheetWords) -> Parts {
        (
            "failure", words[.failureHeading],
            [
                "code": page.code, "text": page.text, "hasText": !page.text.isEmpty,
                "hint": page.hint, "hasHint": !page.hint.isEmpty,
            ]
        )
    }
}

// MARK: Pieces of pages

extension SheetContent {
    static func common(_ transaction: String, _ appName: String, error: String?) -> Values {
        var values: Values = ["transaction": transaction, "initial": initial(of: appName)]
        values["hasError"] = error != nil
        values["error"] = error ?? ""
        return values
    }

    /// A sentence whose values the template sets apart, so that they keep their own direction.
    static func pieces(
        _ words: SheetWords,
        _ word: SheetWord,
        _ values: [String: String]
    ) -> [Values] {
        words.pieces(of: word, values).map { ["text": $0.text, "isValue": $0.isValue] }
    }

    private static func person(_ name: String, email: String) -> Values {
        let shown = name.isEmpty ? email : name
        return [
            "personName": shown, "hasPersonName": !name.isEmpty, "email": email,
            "personInitial": initial(of: shown),
        ]
    }

    private static func initial(of name: String) -> String {
        name.first.map { String($0).uppercased() } ?? ""
    }
}

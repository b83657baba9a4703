extension SheetContent {
    static func parts(of page: ConsentPage, _ words: SheetWords) -> Parts {
        let app = ["app": page.appName]
        var values = common(page.transaction, page.appName, error: page.error)
        values["heading"] = pieces(words, .consentHeading, app)
        values["lead"] = pieces(words, .consentLead, ["email": page.email])
        values["asksName"] = page.asksName
        values["givenName"] = page.givenName
        values["familyName"] = page.familyName
        values["asksEmail"] = page.asksEmail
        values["asksNothing"] = !page.asksName && !page.asksEmail && !page.lacksEmail
        values["isFirstApp"] = page.isFirstApp
        values["isManaged"] = page.isManaged && page.asksEmail
        values["lacksEmail"] = page.lacksEmail
        values.merge(addressValues(of: page)) { own, _ in own }
        return ("consent", words.text(.consentTitle, app), values)
    }

    private static func addressValues(of page: ConsentPage) -> Values {
        [
            "email": page.email,
            "allowsHidingEmail": page.allowsHidingEmail,
            "hidesEmail": page.hidesEmail && page.allowsHidingEmail,
            "isEmailUnverified": page.isEmailUnverified,
            "hasAddresses": page.addresses.count > 1,
            "addresses": page.addresses.map {
                ["address": $0, "isChosen": $0 == page.chosenAddress]
            },
        ]
    }
}

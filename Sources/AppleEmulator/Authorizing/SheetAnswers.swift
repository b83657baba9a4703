/// What a person answered on the sheet so far, shown again when something is wrong with it.
struct SheetAnswers {
    var givenName: String?
    var familyName: String?
    var emailChoice: String?
    var sharedEmail: String?

    init(_ fields: FormFields) {
        givenName = fields.sent("given_name")
        familyName = fields.sent("family_name")
        emailChoice = fields["email_choice"]
        sharedEmail = fields["shared_email"]
    }
}

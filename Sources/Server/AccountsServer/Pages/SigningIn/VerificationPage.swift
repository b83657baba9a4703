/// The page that the email about a new address links to.
///
/// A button confirms the address, not the link itself, because mail scanners follow links.
struct VerificationPage: Page {
    static let template = PageTemplate.verification

    /// The token of the emailed link.
    let token: String
    /// The address to confirm, shown because the link may come from someone else.
    let address: String

    var titleWord: String { "verificationTitle" }

    func values(_ text: PageText) -> [String: Any?] {
        var form = PageForm(action: WebPath.verifyEmail, button: "verifyButton", fields: [])
        form.hidden = [("token", token)]
        return [
            "lead": text.text("verificationLead", ["address": address]),
            "form": form.values(text),
        ]
    }
}

/// The page to which the mail about a new address leads.
///
/// A button and not the link itself confirms the address: programs that look through mail follow links.
struct VerificationPage: Page {
    static let template = PageTemplate.verification

    /// The secret of the mail's link.
    let token: String
    /// The address that waits to be confirmed: the link may come from somebody else.
    let address: String

    func title(_ text: PageText) -> String { text["verificationTitle"] }

    func values(_ text: PageText) -> [String: Any?] {
        var form = PageForm(action: WebPath.verifyEmail, button: "verifyButton", fields: [])
        form.hidden = [("token", token)]
        return [
            "lead": text.text("verificationLead", ["address": address]),
            "form": form.values(text),
        ]
    }
}

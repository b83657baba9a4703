import Accounts

extension AccountPage {
    /// Returns the values of the email address, its state, and the actions for it.
    func email(_ text: PageText) -> [String: Any?] {
        let email = account.email
        let isOwn = email?.isOwn ?? true
        let form = offer.hasMail && isRecent ? form(.email, emailForm()) : nil
        let isUnverified = isOwn && email?.isVerified == false
        let pending = account.pendingEmail.flatMap { $0.address == email?.text ? nil : $0.address }
        return [
            "emailText": email?.text,
            "emailNone": text[account.apple == nil ? "emailNone" : "notShared"],
            "emailTag": email.flatMap { emailTag($0) }.map { text[$0] },
            "emailIsVerified": isOwn && email?.isVerified == true,
            "emailNote": emailNote.map { text[$0] },
            "emailWarning": emailWarning.map { text[$0] },
            "emailForm": form?.values(text),
            "emailChangePath": offer.hasMail && form == nil
                ? path(of: .email, isOpen: isRecent) : nil,
            "emailChange": text[email == nil ? "addButton" : "changeButton"],
            "emailChangeLabel": text[email == nil ? "addEmail" : "changeEmail"],
            "emailPending": pending.map { text.text("emailPending", ["address": $0]) },
            "resend": text[account.pendingEmail == nil ? "sendLinkButton" : "resendButton"],
            "canResend": offer.hasMail && (isUnverified || pending != nil) && form == nil,
        ]
    }

    private func emailTag(_ email: EmailAddress) -> String? {
        if email.isPrivateRelay { return "privateRelay" }
        guard email.isOwn else { return nil }
        return email.isVerified ? "verified" : "unverified"
    }

    private var emailNote: String? {
        guard let email = account.email else { return offer.hasMail ? "emailMissing" : nil }
        if email.isPrivateRelay {
            return account.emailDeliverable ? "privateRelayNote" : nil
        }
        guard email.isOwn else { return "emailFromApple" }
        guard !email.isVerified, offer.hasMail else { return nil }
        return account.pendingEmail == nil ? "emailLinkUnsent" : "emailAwaitsLink"
    }

    private var emailWarning: String? {
        guard let email = account.email, !email.isOwn else { return nil }
        if !email.isVerified { return "unverifiedByApple" }
        return account.emailDeliverable ? nil : "forwardingOff"
    }

    private func emailForm() -> PageForm {
        let address = account.email.flatMap { $0.isOwn ? $0.text : nil } ?? ""
        return PageForm(
            action: WebPath.email,
            button: "sendLinkButton",
            fields: [FormField(kind: .email, value: address, note: "emailChangeNote")]
        )
    }
}

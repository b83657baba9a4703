import Accounts

/// The page before an Apple Account is linked or unlinked, which lists what changes.
struct AppleLinkPage: Page {
    static let template = PageTemplate.appleLink

    let visitor: SignedInSession
    let offer: SignInOffer

    private var account: Account { visitor.account }

    private var isLinked: Bool { account.apple != nil }

    /// Whether an Apple Account can be linked, or unlinked because another sign-in method remains.
    var isOffered: Bool { isLinked ? account.username != nil : offer.hasAppleButton }

    func title(_ text: PageText) -> String { text[isLinked ? "unlinkTitle" : "linkLabel"] }

    func values(_ text: PageText) -> [String: Any?] {
        [
            "points": isLinked ? unlinking(text) : linking(text),
            "emailChangePath": losesEmail && offer.hasMail ? AccountPage.Part.email.path : nil,
            "appleButton": isLinked ? nil : WebPath.linkApple,
            "unlinkPath": isLinked ? WebPath.unlinkApple : nil,
        ]
    }

    private func linking(_ text: PageText) -> [String] {
        [text["linkAddsSignIn"], emailAfterLinking(text)]
    }

    private func emailAfterLinking(_ text: PageText) -> String {
        guard let email = account.email else { return text["linkBringsEmail"] }
        return text.text(
            email.isVerified ? "linkKeepsEmail" : "linkReplacesEmail",
            ["address": email.text]
        )
    }

    private func unlinking(_ text: PageText) -> [String] {
        [
            text.text("unlinkLeavesPassword", ["username": account.username ?? ""]),
            text["unlinkSignsOut"],
            text[account.appleLinkRemains ? "appleLinkRemains" : "deletionAtApple"],
        ] + emailAfterUnlinking(text)
    }

    private func emailAfterUnlinking(_ text: PageText) -> [String] {
        guard let email = account.email else { return [] }
        let address = ["address": email.text]
        if email.isOwn { return [text.text("unlinkKeepsEmail", address)] }
        guard email.isPrivateRelay else { return [text.text("unlinkUnverifiesEmail", address)] }
        let removed = text.text("unlinkRemovesEmail", address)
        if let keptPending {
            return [removed, text.text("unlinkUnverifiesEmail", ["address": keptPending])]
        }
        return [removed, text["unlinkLeavesNoEmail"]]
            + (offer.hasMail ? [text["emailMissing"]] : [])
    }

    private var losesEmail: Bool {
        isLinked && account.email?.isPrivateRelay == true && keptPending == nil
    }

    /// The pending address, which unlinking keeps if this session requested it.
    private var keptPending: String? {
        account.pendingEmail.flatMap { $0.session == visitor.session.id ? $0.address : nil }
    }
}

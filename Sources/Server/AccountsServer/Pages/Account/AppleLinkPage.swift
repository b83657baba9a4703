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

    var titleWord: String { isLinked ? "unlinkTitle" : "linkLabel" }

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
            text["unlinkEndsSignIn"],
            text[account.appleLinkRemains ? "appleLinkRemains" : "deletionAtApple"],
        ] + emailAfterUnlinking(text)
    }

    private func emailAfterUnlinking(_ text: PageText) -> [String] {
        guard let email = account.email else { return [] }
        let removed =
            email.isPrivateRelay
            ? [text.text("unlinkRemovesEmail", ["address": email.text])] : []
        guard let left = unlinked.email else {
            let words = ["unlinkLeavesNoEmail"] + (offer.hasMail ? ["emailMissing"] : [])
            return removed + [words.map { text[$0] }.joined(separator: " ")]
        }
        let word = left.isVerified ? "unlinkKeepsEmail" : "unlinkUnverifiesEmail"
        return removed + [text.text(word, ["address": left.text])]
    }

    private var losesEmail: Bool {
        isLinked && account.email != nil && unlinked.email == nil
    }

    private var unlinked: Account {
        account.unlinked(by: visitor.session.id, at: account.createdAt)
    }
}

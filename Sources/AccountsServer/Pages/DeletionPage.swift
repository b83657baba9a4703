import Accounts

/// The page that asks whether the account shall really go.
struct DeletionPage: Page {
    static let template = PageTemplate.deletion

    let account: Account
    let isRecent: Bool

    func title(_ text: PageText) -> String { text["deletionTitle"] }

    func values(_ text: PageText) -> [String: Any?] {
        [
            "isRecent": isRecent,
            "appleButton": WebPath.signInApple(returningTo: WebPath.deletion),
            "name": account.name,
            "email": account.email?.text,
            "hasApple": account.apple != nil,
        ]
    }
}

import Accounts

/// The page that confirms the deletion of the account.
struct DeletionPage: Page {
    static let template = PageTemplate.deletion

    let proof: FreshProof
    let isRecent: Bool

    private var account: Account { proof.account }

    var titleWord: String { "deletionTitle" }

    func values(_ text: PageText) -> [String: Any?] {
        let values: [String: Any?] = [
            "isRecent": isRecent,
            "name": account.name?.text ?? account.username,
            "emailText": account.email?.text,
            "isLinked": account.apple != nil && !account.appleLinkRemains,
            "appleLinkRemains": account.appleLinkRemains,
        ]
        return values.merging(proof.values(text)) { own, _ in own }
    }
}

/// The page that signs a person in.
struct SignInPage: Page {
    static let template = PageTemplate.signIn

    let notice: Notice?
    let hasAppleButton: Bool

    func title(_ text: PageText) -> String { text["signInTitle"] }

    func values(_ text: PageText) -> [String: Any?] {
        [
            "notice": notice.map { text["notice.\($0.rawValue)"] },
            "appleButton": hasAppleButton ? WebPath.signInApple : nil,
        ]
    }
}

@testable import AppleEmulator

/// One page of each kind, as the demo shows them.
enum SheetSamples {
    static let signIn = SignInPage(
        transaction: "t1",
        appName: "Juice",
        error: "The e-mail address or password is wrong.",
        knownEmails: ["maya@example.com", "noah@example.com"]
    )
    static let chooser = ChooserPage(
        transaction: "t1",
        appName: "Juice",
        accounts: [
            .init(action: "choose-1", personName: "Maya Okafor", email: "maya@example.com"),
            .init(action: "choose-2", personName: "", email: "noah@example.com"),
        ]
    )
    static let twoFactor = TwoFactorPage(
        transaction: "t1",
        appName: "Juice",
        email: "maya@example.com",
        code: "482913"
    )
    static let consent = ConsentPage(
        transaction: "t1",
        appName: "Juice",
        email: "maya@example.com",
        asksName: true,
        givenName: "Maya",
        familyName: "Okafor",
        asksEmail: true
    )
    static let returning = ReturningPage(
        transaction: "t1",
        appName: "Juice",
        personName: "Maya Okafor",
        email: "maya@example.com"
    )
    static let formPost = FormPostPage(
        redirectURI: "https://juice.example.com/sign-in/apple/callback",
        appName: "Juice",
        fields: [.init(name: "code", value: "c1.0.x.y"), .init(name: "state", value: "s1")]
    )
    static let webMessage = WebMessagePage(
        message: #"{"method":"oauthDone","data":{"error":"user_cancelled_authorize"}}"#,
        targetOrigin: "https://juice.example.com",
        appName: "Juice"
    )
    static let failure = FailurePage(
        code: "invalid_request",
        text: "Invalid web redirect url.",
        hint: "https://other.example.com/callback is not among the return addresses of "
            + "com.example.juice.web: register it exactly as it is sent."
    )

    static let all: [(String, SheetPage)] = [
        ("chooser", .chooser(chooser)),
        ("sign-in", .signIn(signIn)),
        ("two-factor", .twoFactor(twoFactor)),
        ("consent", .consent(consent)),
        ("returning", .returning(returning)),
        ("form-post", .formPost(formPost)),
        ("web-message", .webMessage(webMessage)),
        ("failure", .failure(failure)),
    ]
}

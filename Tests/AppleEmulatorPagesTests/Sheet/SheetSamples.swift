import Foundation

@testable import AppleEmulator

/// One page of each kind, as the demo shows them.
enum SheetSamples {
    static let consent = ConsentPage(
        email: "maya@example.com",
        asksName: true,
        givenName: "Maya",
        familyName: "Okafor",
        asksEmail: true,
        addresses: ["maya@example.com"],
        chosenAddress: "maya@example.com"
    )
    static let formPost = FormPostPage(
        redirectURI: "https://juice.example.com/sign-in/apple/callback",
        appName: "Juice",
        fields: [("code", "c1.0.x.y"), ("state", "s1")]
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

    static let all: [(name: String, page: EmulatorPage)] = [
        (
            "chooser",
            sheet(
                .chooser([
                    .init(personName: "Maya Okafor", email: "maya@example.com", action: "choose-1"),
                    .init(personName: "", email: "noah@example.com", action: "choose-2"),
                ])
            )
        ),
        (
            "sign-in",
            sheet(
                .signIn(email: "", knownPeople: people(haveButtons: false)),
                problem: .wrongPassword
            )
        ),
        ("two-factor", sheet(.twoFactor(email: "maya@example.com", digits: "482913"))),
        ("consent", sheet(.consent(consent))),
        (
            "returning",
            sheet(.returning(.init(personName: "Maya Okafor", email: "maya@example.com")))
        ),
        ("form-post", .formPost(formPost)),
        ("web-message", .webMessage(webMessage)),
        ("failure", .failure(failure)),
    ]

    /// What the sheet shows of accounts that are not like the demo's.
    static let others: [(name: String, page: EmulatorPage)] = {
        var managed = consent
        managed.isManaged = true
        managed.isEmailUnverified = true
        managed.isFirstApp = true
        var several = consent
        several.addresses.append("maya@work.example.com")
        var bare = consent
        bare.asksName = false
        bare.asksEmail = false
        var addressless = bare
        addressless.lacksEmail = true
        return [managed, several, bare, addressless].map { ("consent", sheet(.consent($0))) }
            + [
                ("home", .home), ("failure", failure(isClientKnown: true)),
                ("failure", failure(isClientKnown: false)),
            ]
            + [("people", sheet(.signIn(email: "", knownPeople: people(haveButtons: true))))]
    }()

    static let console = URL(string: "http://127.0.0.1:8082")

    static func failure(isClientKnown: Bool) -> EmulatorPage {
        var page = failure
        page.missing = MissingRegistration(
            clientID: "com.example.juice.web",
            redirectURI: "https://other.example.com/callback?a=b&c",
            isClientKnown: isClientKnown
        )
        return .failure(page)
    }

    /// The people that the sign-in page suggests.
    static func people(haveButtons: Bool) -> [SheetPage.Account] {
        [("Maya Okafor", "maya@example.com"), ("", "noah@example.com")].enumerated().map {
            SheetPage.Account(
                personName: $1.0,
                email: $1.1,
                action: haveButtons ? "enter-\($0 + 1)" : ""
            )
        }
    }

    static var names: [String] { all.map(\.name) }

    static func sheet(_ step: SheetPage.Step, problem: PageProblem? = nil) -> EmulatorPage {
        .sheet(SheetPage(transaction: "t1", appName: "Juice", step: step, problem: problem))
    }

    static func page(_ name: String) -> EmulatorPage? { all.first { $0.name == name }?.page }
}

import Accounts
import HTTPTypes
import SignInWithApple

/// An error page: the message, the next step, and the error code for support.
struct RefusalPage: Page {
    static let template = PageTemplate.refusal

    let error: ServerError

    var refusal: ServerError? { error }

    func title(_ text: PageText) -> String { text[titleWord] }

    func values(_ text: PageText) -> [String: Any?] {
        let reasons = Self.otherReasons[error.code] ?? []
        var values: [String: Any?] = [
            "message": text.sentence(of: error), "code": error.code,
            "hasReasons": !reasons.isEmpty, "reasons": reasons.map { text[$0] },
        ]
        switch error.remedy {
        case .leave: values["canLeave"] = true
        case .signInAgain(let path): values["appleButton"] = path
        case .proceed(let path, let button):
            values["goOnPath"] = path
            values["goOnButton"] = text[button]
        case .postAgain(let form):
            values["callback"] = [
                "action": form.action,
                "fields": form.fields.map { ["name": $0.name, "value": $0.value] },
                "asksName": form.asksName,
            ]
        }
        return values
    }

    var titleWord: String {
        if let word = Self.titleWords[error.code] { return word }
        if error.isLinking { return "linkFailedTitle" }
        return switch error.remedy {
        case .signInAgain, .postAgain: "signInFailedTitle"
        case .leave, .proceed: error.status.code >= 500 ? "serverFailedTitle" : "failedTitle"
        }
    }

    /// The reasons of an error that are less likely than the one of its sentence.
    private static let otherReasons = [
        SignInError.Code.stateMismatch.rawValue: ["stateReasonElsewhere", "stateReasonComplete"]
    ]

    private static let titleWords: [String: String] = [
        ServerError.notFound.code: "notFoundTitle",
        SignInError.Code.stateExpired.rawValue: "tookTooLongTitle",
        SignInError.Code.nameTooLong.rawValue: "nameTooLongTitle",
        AccountsError.Code.storeUnavailable.rawValue: "tryLaterTitle",
        SignInError.Code.appleUnavailable.rawValue: "tryLaterTitle",
        SignInError.Code.appleKeysUnavailable.rawValue: "tryLaterTitle",
        SignInError.Code.appleAnswerUnreadable.rawValue: "tryLaterTitle",
        SignInError.Code.tokenKeyNotPublished.rawValue: "tryLaterTitle",
        AccountsError.Code.recentSignInRequired.rawValue: "signInAgainTitle",
        AccountsError.Code.linkInvalid.rawValue: "linkInvalidTitle",
    ]
}

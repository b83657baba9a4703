import HTTPTypes
import SignInWithApple

/// An error page: the message, the next step, and the error code for support.
struct RefusalPage: Page {
    static let template = PageTemplate.refusal

    let error: ServerError

    var refusal: ServerError? { error }

    func title(_ text: PageText) -> String { text[titleWord] }

    func values(_ text: PageText) -> [String: Any?] {
        var values: [String: Any?] = ["message": text.sentence(of: error), "code": error.code]
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

    private var titleWord: String {
        switch error.code {
        case "not_found": "notFoundTitle"
        case "state_expired": "tookTooLongTitle"
        case "name_too_long": "nameTooLongTitle"
        case "store_unavailable", "apple_unavailable", "apple_keys_unavailable",
            "apple_answer_unreadable", "token_key_not_published":
            "tryLaterTitle"
        case "recent_sign_in_required": "signInAgainTitle"
        case "link_invalid": "linkInvalidTitle"
        case _ where error.isLinking: "linkFailedTitle"
        default:
            switch error.remedy {
            case .signInAgain, .postAgain: "signInFailedTitle"
            case .leave, .proceed: error.status.code >= 500 ? "serverFailedTitle" : "failedTitle"
            }
        }
    }
}

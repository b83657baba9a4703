import HTTPTypes
import SignInWithAppleHummingbird

/// What an error page shows: what happened, a way on, and the code for whoever helps.
enum RefusalPage {
    static func title(_ error: ServerError) -> String {
        switch error.code {
        case "not_found": "Page not found"
        case "state_expired": "That took too long"
        case "name_too_long": "That name is too long"
        case "store_unavailable", "apple_unavailable", "apple_keys_unavailable",
            "apple_answer_unreadable", "token_key_not_published":
            "Please try again in a moment"
        case "recent_sign_in_required": "Please sign in again"
        default:
            switch error.remedy {
            case .signInAgain, .postAgain: "The sign-in did not work"
            case .leave: error.status.code >= 500 ? "Something went wrong" : "That did not work"
            }
        }
    }

    static func values(_ error: ServerError) -> [String: Any?] {
        var values: [String: Any?] = ["message": error.message, "code": error.code]
        switch error.remedy {
        case .leave: values["canLeave"] = true
        case .signInAgain(let path): values["appleButton"] = path
        case .postAgain(let form):
            values["callback"] = [
                "action": form.action,
                "fields": form.fields.map { ["name": $0.name, "value": $0.value] },
                "asksName": form.asksName,
            ]
        }
        return values
    }
}

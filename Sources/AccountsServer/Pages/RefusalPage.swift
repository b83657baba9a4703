import HTTPTypes

/// What an error page shows: what happened, a way on, and the code for whoever helps.
enum RefusalPage {
    static func title(_ error: ServerError) -> String {
        switch error.code {
        case "not_found": "Page not found"
        case "state_expired": "That took too long"
        case "name_too_long": "That name is too long"
        case "name_unreadable": "What is your name?"
        case "store_unavailable", "apple_unavailable", "apple_keys_unavailable",
            "apple_answer_unreadable", "token_key_not_published":
            "Please try again in a moment"
        case "recent_sign_in_required": "Please sign in again"
        default:
            switch error.remedy {
            case .signInAgain, .repeatCallback: "The sign-in did not work"
            case .leave: error.status.code >= 500 ? "Something went wrong" : "That did not work"
            }
        }
    }

    static func values(_ error: ServerError) -> [String: Any?] {
        var values: [String: Any?] = ["message": error.message, "code": error.code]
        switch error.remedy {
        case .leave: values["canLeave"] = true
        case .signInAgain(let goal): values["appleButton"] = goal.signInPath
        case .repeatCallback(let sealed, let ceremony, let asksName):
            values["callback"] = [
                "sealed": sealed, "ceremony": ceremony, "asksName": asksName,
                "nameLabel": error.code == "name_too_long" ? "Your name, shorter" : "Your name",
            ]
        }
        return values
    }
}

import HTTPTypes
import SignInWithAppleHummingbird

extension ServerError {
    init(_ refusal: CeremonyRefusal) {
        self =
            switch refusal {
            case .missing: .stateMissing
            case .doubled: .stateDoubled
            case .foreign: .stateForeign
            case .expired: .stateExpired
            }
    }

    private static let stateMissing = ceremony(
        "state_missing",
        "Something is missing from the answer that came back from Apple.",
        hint: "the callback has no state"
    )

    private static let stateDoubled = ceremony(
        "state_doubled",
        "The answer that came back from Apple is not in order.",
        hint: "the callback has the field state more than once"
    )

    private static let stateForeign = ceremony(
        "state_foreign",
        "This sign-in was begun in another browser, or has been finished already.",
        hint:
            "no ceremony cookie belongs to the state: another browser, cookies off, or used before"
    )

    private static let stateExpired = ceremony(
        "state_expired",
        "This sign-in took longer than ten minutes.",
        hint: "the ceremony is older than \(CeremonyLimits.lifetime) seconds"
    )

    static func callbackMalformed(_ hint: String) -> ServerError {
        ceremony(
            "callback_malformed",
            "The answer that came back from Apple could not be read.",
            hint: hint
        )
    }

    private static func ceremony(_ code: String, _ message: String, hint: String) -> ServerError {
        ServerError(code, .badRequest, message, hint: hint).with(.signInAgain(.account))
    }
}

import AppleIdentity
import Foundation

/// What a notification tells: one thing that happened to one person.
struct NotifiedEvent {
    var kind: NotificationEvent.Kind = ""
    var userID: UserID = ""
    var time: Date = .distantPast
    /// The address whose forwarding was switched; nil for other events.
    var email: String?

    /// The event as Apple writes it: the time in milliseconds, the truth value as a text.
    func object(countingSeconds: Bool = false) -> JSONObject {
        let seconds = time.timeIntervalSince1970
        var object: JSONObject = [
            "type": .string(kind.rawValue),
            "sub": .string(userID.rawValue),
            "event_time": .integer(Int(countingSeconds ? seconds : seconds * 1_000)),
        ]
        if let email {
            let isPrivate = EmulatorSwitches.RelayDomain.allCases.contains {
                email.lowercased().hasSuffix("@" + $0.rawValue)
            }
            object["email"] = .string(email)
            object["is_private_email"] = .string(isPrivate ? "true" : "false")
        }
        return object
    }
}

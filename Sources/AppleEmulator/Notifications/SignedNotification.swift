import AppleIdentity
import Foundation

/// A notification as it goes over the wire, and what it says.
struct SignedNotification {
    var clientID: ClientID = ""
    var event = NotifiedEvent()
    var defect: NotificationDefect?
    var claims: JSONObject = [:]
    /// The body of the request.
    var body: Data = Data()
}

/// One way in which a notification can be wrong, so that a receiver shows what it does about it.
enum NotificationDefect: String, CaseIterable {
    /// Signed by the key that the header names, but for other words.
    case badSignature = "bad_signature"
    /// The header names a key that is not published.
    case unknownKey = "unknown_key"
    /// The header says `none`, and there is no signature.
    case unsigned
    case wrongIssuer = "wrong_issuer"
    case wrongAudience = "wrong_audience"
    /// It ended an hour ago.
    case expired
    /// It is issued an hour from now.
    case issuedInTheFuture = "issued_in_the_future"
    /// `events` is an object, as Apple's page shows it, instead of a text with JSON.
    case eventsObject = "events_object"
    /// `events` is a text, but no JSON.
    case eventsNotJSON = "events_not_json"
    case eventsMissing = "events_missing"
    /// `event_time` counts seconds, as the examples on Apple's page do.
    case eventTimeInSeconds = "event_time_in_seconds"
    /// An event that Apple has never told of.
    case unknownType = "unknown_type"
    /// The body is an object without `payload`.
    case payloadMissing = "payload_missing"
    /// The body is no JSON.
    case notJSON = "not_json"
}

/// What a notification tells: one thing that happened to one person.
struct NotifiedEvent {
    var kind = NotificationEvent.Kind(rawValue: "")
    var userID: UserID = ""
    var time: Date = .distantPast
    /// The address whose forwarding was switched; nil for other events.
    var email: String?

    /// The event as Apple writes it: the time in milliseconds, the truth value as a text.
    func object(isPrivateEmail: Bool, countingSeconds: Bool = false) -> JSONObject {
        let seconds = time.timeIntervalSince1970
        var object: JSONObject = [
            "type": .string(kind.rawValue),
            "sub": .string(userID.rawValue),
            "event_time": .integer(Int(countingSeconds ? seconds : seconds * 1_000)),
        ]
        if let email {
            object["email"] = .string(email)
            object["is_private_email"] = .string(isPrivateEmail ? "true" : "false")
        }
        return object
    }
}

/// Where an app's developer is told what people do.
///
/// Source: [Enabling notifications](https://developer.apple.com/help/account/capabilities/enabling-server-to-server-notifications)
enum NotificationAddress {
    /// Why the address can't be registered; nil when it can.
    ///
    /// An app is told on this machine and in containers too, except by an Apple that is strict.
    static func registrationFault(_ text: String, isStrict: Bool) -> String? {
        let address = RedirectAddress(text)
        if let fault = address.registrationFault { return fault }
        guard isStrict, let place = address.localPlace else { return nil }
        return "leads to \(place); Apple sends to https addresses with a domain name only"
    }

    /// What Apple would say about an address that was registered all the same.
    static func hint(_ text: String) -> String? {
        guard let place = RedirectAddress(text).localPlace else { return nil }
        return "Apple sends to https addresses with a domain name only; this one leads to \(place)"
    }
}

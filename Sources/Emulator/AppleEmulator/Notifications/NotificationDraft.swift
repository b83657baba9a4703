import AppleIdentity
import Foundation

/// A notification to sign: the claims in Apple's order, with an optional defect.
struct NotificationDraft {
    /// The lifetime of a notification in seconds, as in all observed ones.
    static let lifetimeSeconds = 86_400
    /// The time from the event to `iat` in seconds, about as in observed notifications.
    static let eventLeadSeconds: TimeInterval = 10
    /// The size of a `jti` in bytes, which are 22 characters in base64url.
    private static let identifierByteCount = 16
    private static let hourSeconds = 3_600

    let issuer: String
    let clientID: ClientID
    let event: NotifiedEvent
    let isPrivateEmail: Bool
    let issuedAt: Int
    let defect: NotificationDefect?

    /// The notification without its body.
    var unsentNotification: SignedNotification {
        SignedNotification(
            clientID: clientID,
            event: event,
            defect: defect,
            claims: claims,
            body: Data()
        )
    }

    /// The claims `iss aud exp iat jti events`.
    private var claims: JSONObject {
        var claims: JSONObject = [
            "iss": .string(defect == .wrongIssuer ? "https://appleid.example.com" : issuer),
            "aud": .string(defect == .wrongAudience ? "com.example.another" : clientID.rawValue),
            "exp": .integer(issuedAtClaim + Self.lifetimeSeconds), "iat": .integer(issuedAtClaim),
            "jti": .string(RandomText.base64URL(byteCount: Self.identifierByteCount)),
        ]
        claims["events"] = events
        return claims
    }

    private var issuedAtClaim: Int {
        switch defect {
        case .expired: issuedAt - Self.lifetimeSeconds - Self.hourSeconds
        case .issuedInTheFuture: issuedAt + Self.hourSeconds
        default: issuedAt
        }
    }

    private var events: JSONValue? {
        switch defect {
        case .eventsMissing: nil
        case .eventsNotJSON: "something happened"
        case .eventsObject: .object(event.object(isPrivateEmail: isPrivateEmail))
        case .eventTimeInSeconds:
            .string(event.object(isPrivateEmail: isPrivateEmail, countingSeconds: true).text)
        default: .string(event.object(isPrivateEmail: isPrivateEmail).text)
        }
    }

    func body(of claims: JSONObject, signedBy key: EmulatorSigningKey) throws -> Data {
        switch defect {
        case .notJSON: Data("something happened".utf8)
        case .payloadMissing: JSONObject().data
        default: (["payload": .string(try token(claims, key))] as JSONObject).data
        }
    }

    /// The defects of signatures are those of identity tokens.
    private func token(_ claims: JSONObject, _ key: EmulatorSigningKey) throws -> String {
        let defect = defect.flatMap { IdentityTokenDefect(rawValue: $0.rawValue) } ?? .none
        return try key.unsignedToken(claims, defect: defect).signed()
    }
}

struct SignedNotification {
    var clientID: ClientID = ""
    var event = NotifiedEvent()
    var defect: NotificationDefect?
    var claims: JSONObject = [:]
    var body: Data = Data()
}

/// One defect of a notification, to test how a receiver handles it.
enum NotificationDefect: String, CaseIterable {
    /// The signature is by the header's key, but over other content.
    case badSignature = "bad_signature"
    /// The header's key is not published.
    case unknownKey = "unknown_key"
    /// The algorithm is `none`, and the signature is empty.
    case unsigned
    case wrongIssuer = "wrong_issuer"
    case wrongAudience = "wrong_audience"
    /// It expired an hour ago.
    case expired
    /// Its `iat` is an hour from now.
    case issuedInTheFuture = "issued_in_the_future"
    /// `events` is an object, as on Apple's page, instead of a JSON string.
    case eventsObject = "events_object"
    /// `events` is a string that is not JSON.
    case eventsNotJSON = "events_not_json"
    case eventsMissing = "events_missing"
    /// `event_time` is in seconds, as in the examples on Apple's page.
    case eventTimeInSeconds = "event_time_in_seconds"
    /// An event that Apple never sends.
    case unknownType = "unknown_type"
    /// The body is an object without `payload`.
    case payloadMissing = "payload_missing"
    /// The body is not JSON.
    case notJSON = "not_json"
}

/// One event of one person.
struct NotifiedEvent {
    var kind = NotificationEvent.Kind(rawValue: "")
    var userID: UserID = ""
    var time: Date = .distantPast
    /// The email address whose forwarding changed; nil for other events.
    var email: String?

    var milliseconds: Int { Int((time.timeIntervalSince1970 * 1_000).rounded()) }

    /// The event in Apple's format: the time in milliseconds, booleans as strings.
    func object(isPrivateEmail: Bool, countingSeconds: Bool = false) -> JSONObject {
        var object: JSONObject = [
            "type": .string(kind.rawValue), "sub": .string(userID.rawValue),
            "event_time": .integer(countingSeconds ? milliseconds / 1_000 : milliseconds),
        ]
        if let email {
            object["email"] = .string(email)
            object["is_private_email"] = .string(isPrivateEmail ? "true" : "false")
        }
        return object
    }
}

/// The rules for URLs of server-to-server notifications.
///
/// Source: [Enabling notifications](https://developer.apple.com/help/account/capabilities/enabling-server-to-server-notifications)
enum NotificationAddress {
    /// The reason why the URL cannot be registered; nil if it can.
    ///
    /// The emulator also accepts URLs on this machine and in containers, unless it is strict.
    static func registrationFault(_ text: String, isStrict: Bool) -> String? {
        let address = RedirectURI(text)
        if let fault = address.registrationFault { return fault }
        guard isStrict, let place = address.localPlace else { return nil }
        return "points to \(place); Apple sends only to https URLs with a domain name"
    }

    /// Apple's objection to a URL that the emulator accepts.
    static func hint(_ text: String) -> String? {
        guard let place = RedirectURI(text).localPlace else { return nil }
        return "Apple sends only to https URLs with a domain name; this one points to \(place)"
    }
}

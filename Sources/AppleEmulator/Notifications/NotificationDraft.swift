import AppleIdentity
import Foundation
import SignedTokens

/// A notification to be signed: the claims in Apple's order, right or wrong in one asked way.
struct NotificationDraft {
    /// How long a notification is valid, in seconds: so in all that were seen.
    static let lifetimeSeconds = 86_400
    /// How long before `iat` an event happened, in seconds: about so in those that were seen.
    static let eventLeadSeconds: TimeInterval = 10
    /// The bytes of a `jti`, which are 22 characters in base64url.
    private static let identifierByteCount = 16
    private static let hourSeconds = 3_600

    let issuer: String
    let clientID: ClientID
    let event: NotifiedEvent
    let isPrivateEmail: Bool
    let issuedAt: Int
    let defect: NotificationDefect?

    func signed(
        _ unsent: SignedNotification,
        by key: EmulatorSigningKey
    ) throws -> SignedNotification {
        var notification = unsent
        notification.body = try body(of: unsent.claims, signedBy: key)
        return notification
    }

    /// The notification before it is signed, which one that is never sent needs not be.
    var unsentNotification: SignedNotification {
        SignedNotification(
            clientID: clientID,
            event: event,
            defect: defect,
            claims: claims,
            body: Data()
        )
    }

    /// `iss aud exp iat jti events`.
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

    private func body(of claims: JSONObject, signedBy key: EmulatorSigningKey) throws -> Data {
        switch defect {
        case .notJSON: Data("something happened".utf8)
        case .payloadMissing: JSONObject().data
        default: (["payload": .string(try token(claims, key))] as JSONObject).data
        }
    }

    private func token(_ claims: JSONObject, _ key: EmulatorSigningKey) throws -> String {
        switch defect {
        case .badSignature:
            var others = claims
            others["jti"] = .string(RandomText.base64URL(byteCount: Self.identifierByteCount))
            let signature = try key.sign(others).split(separator: ".").last ?? ""
            return try key.sign(claims).split(separator: ".").dropLast().joined(separator: ".")
                + "." + signature
        case .unknownKey: return try key.sign(claims, naming: KeyID(RandomText.signingKeyID()))
        case .unsigned:
            let header: JSONObject = ["kid": .string(key.keyID.rawValue), "alg": "none"]
            return Base64URL.encode(header.data) + "." + Base64URL.encode(claims.data) + "."
        default: return try key.sign(claims)
        }
    }
}

struct SignedNotification {
    var clientID: ClientID = ""
    var event = NotifiedEvent()
    var defect: NotificationDefect?
    var claims: JSONObject = [:]
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
            "type": .string(kind.rawValue), "sub": .string(userID.rawValue),
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

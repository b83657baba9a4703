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

    /// The notification with a body, as it goes over the wire.
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
            "exp": .integer(issuedAtClaim + Self.lifetimeSeconds),
            "iat": .integer(issuedAtClaim),
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
        case .unknownKey:
            return try key.sign(claims, naming: KeyID(RandomText.signingKeyID()))
        case .unsigned:
            let header: JSONObject = ["kid": .string(key.keyID.rawValue), "alg": "none"]
            return Base64URL.encode(header.data) + "." + Base64URL.encode(claims.data) + "."
        default:
            return try key.sign(claims)
        }
    }
}

import Foundation
import Testing

@testable import AppleIdentity

@Suite("The claims of a notification") struct NotificationClaimsTests {
    private static let event: JSONObject = [
        "type": "email-disabled", "sub": "001234.a.0123", "event_time": 1_769_000_000_123,
        "email": "x@privaterelay.appleid.com", "is_private_email": "true",
    ]

    private func decode(events: JSONValue) throws -> NotificationClaims {
        let claims: JSONObject = [
            "iss": "https://appleid.apple.com", "aud": "com.example.juice",
            "exp": 1_769_003_600, "iat": 1_769_000_000, "jti": "j", "events": events,
        ]
        return try NotificationClaims(claims.data)
    }

    private func event(_ changes: [String: JSONValue?]) throws -> NotificationEvent {
        var object = Self.event
        for (name, value) in changes { object[name] = value }
        return try decode(events: .object(object)).event
    }

    @Test("The event is a string with JSON, or an object")
    func bothForms() throws {
        for events in [JSONValue.string(Self.event.text), .object(Self.event)] {
            let claims = try decode(events: events)
            #expect(claims.notificationID == "j")
            #expect(claims.audience.clients == ["com.example.juice"])
            #expect(claims.event.kind == .emailDisabled)
            #expect(claims.event.subject == "001234.a.0123")
            #expect(claims.event.email == "x@privaterelay.appleid.com")
            #expect(claims.event.isPrivateEmail == true)
            // It counts milliseconds.
            #expect(claims.event.eventTime == Date(timeIntervalSince1970: 1_769_000_000.123))
        }
    }

    @Test("An event invented later survives; its address may be missing") func unknownKind() throws
    {
        let event = try event(["type": "passkey-added", "email": nil, "is_private_email": nil])
        #expect(event.kind == .init(rawValue: "passkey-added"))
        #expect(event.email == nil && event.isPrivateEmail == nil)
        #expect(!event.kind.isAccountDeletion)
    }

    @Test("Both words for a deleted Apple Account mean the same") func deletion() throws {
        #expect(try event(["type": "account-delete"]).kind.isAccountDeletion)
        #expect(try event(["type": "account-deleted"]).kind.isAccountDeletion)
        #expect(try !event(["type": "consent-revoked"]).kind.isAccountDeletion)
    }

    @Test("An event without a kind, a user or a time is rejected") func missing() {
        for name in ["type", "sub", "event_time"] {
            #expect(throws: ClaimsError.self) { try event([name: nil]) }
        }
        for events: JSONValue in ["", "not JSON", "[]", 1, [], .null] {
            #expect(throws: ClaimsError.self) { try decode(events: events) }
        }
    }
}

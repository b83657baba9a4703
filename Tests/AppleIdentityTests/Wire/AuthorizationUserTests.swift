import Foundation
import Testing

@testable import AppleIdentity

@Suite("The user field of the first authorization") struct AuthorizationUserTests {
    private func decode(_ text: String) throws -> AuthorizationUser {
        try AuthorizationUser(parsing: text)
    }

    @Test("Name and address arrive") func whole() throws {
        let text = #"{"name":{"firstName":"Maya","lastName":"Ng"},"email":"maya@example.com"}"#
        let user = try decode(text)
        #expect(user.name == PersonName(givenName: "Maya", familyName: "Ng"))
        #expect(user.name?.displayName == "Maya Ng")
        #expect(user.email == "maya@example.com")
    }

    @Test(
        "A name may be missing, null, empty or have one part",
        arguments: [
            (#"{}"#, nil), (#"{"name":null}"#, nil), (#"{"name":{}}"#, nil),
            (#"{"name":{"firstName":"","lastName":""}}"#, nil),
            (#"{"name":{"firstName":null,"lastName":"Ng"}}"#, "Ng"),
            (#"{"name":{"firstName":"Maya"}}"#, "Maya"),
            (#"{"name":{"middleName":"X","firstName":"Maya"},"other":1}"#, "Maya"),
        ] as [(String, String?)]
    ) func parts(text: String, expected: String?) throws {
        let user = try decode(text)
        #expect(user.name?.displayName == expected)
        #expect(user.email == nil)
    }

    @Test(
        "Anything but such an object is rejected",
        arguments: [
            "", "[]", "\"Maya\"", #"{"name":"Maya"}"#, #"{"name":{"firstName":1}}"#,
            #"{"email":["a"]}"#, #"{"name":[]}"#, #"{"name":{},"name":{}}"#,
        ]
    ) func refused(text: String) {
        #expect(throws: (any Error).self) { try decode(text) }
    }

    @Test("It is written in Apple's spelling") func encoding() throws {
        let user = AuthorizationUser(
            name: PersonName(givenName: "Maya", familyName: "Ng"),
            email: "maya@example.com"
        )
        let expected: JSONValue = [
            "email": "maya@example.com", "name": ["firstName": "Maya", "lastName": "Ng"],
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try JSONValue(parsing: try encoder.encode(user)) == expected)
        let nobody = AuthorizationUser(name: nil, email: nil)
        #expect(try JSONEncoder().encode(nobody) == Data("{}".utf8))
    }
}

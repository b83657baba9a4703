import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

// Fidelity: device-3, device-4
@Suite("A device's requests to the control port") final class DeviceRouteTests: ControlSuite {
    private static let path = "/people/maya@example.com/device"

    private func register(_ control: ControlClient) async throws {
        try await control.register([
            "email": "maya@example.com", "given_name": "Maya", "password": "plum",
            "other_emails": ["m@example.com"],
        ])
    }

    @Test("The right password returns what a device knows of the person, never the password")
    func signIn() async throws {
        try await register(control)
        let request: JSONObject = ["password": "plum", "client_id": "com.example.juice"]
        let object = try await control.post(Self.path, request, expecting: .ok)
        #expect(object["email"] == "maya@example.com" && object["given_name"] == "Maya")
        #expect(object["addresses"] == ["maya@example.com", "m@example.com"])
        #expect(object["two_factor"] == true && object["managed"] == false)
        #expect(object["apps"] == [] && object["password"] == nil)
        #expect(
            object["app"] == [
                "client_id": "com.example.juice", "name": "Juice",
                "developer": "Juice Makers", "used": false,
            ]
        )
    }

    @Test("A wrong or missing password, another field and an unknown person are refused")
    func refusals() async throws {
        try await register(control)
        for request: JSONObject in [["password": "pear"], [:], ["password": 7]] {
            let answer = try await control.post(
                Self.path,
                request,
                expecting: .unprocessableContent
            )
            #expect(answer["field"] == "password")
        }
        let other: JSONObject = ["password": "plum", "pin": "1234"]
        let unknown = try await control.post(Self.path, other, expecting: .unprocessableContent)
        #expect(unknown["code"] == "unknown_field" && unknown["field"] == "pin")
        let nobody = "/people/nobody@example.com/device"
        let missing = try await control.post(nobody, ["password": "plum"], expecting: .notFound)
        #expect(missing["field"] == "email")
        let app = try await control.send(.get, Self.path + "?client_id=com.example.other")
        #expect(app.status == .unprocessableContent && app.object["field"] == "client_id")
    }

    @Test("The list has what each app knows of the address") func apps() async throws {
        try await register(control)
        let request: JSONObject = [
            "client_id": "com.example.juice", "scopes": ["email"], "email": "hide",
        ]
        let credential = try await control.post(
            "/people/maya@example.com/credentials",
            request,
            expecting: .created
        )
        let object = try await control.send(.get, Self.path).object
        let app = try #require(object["apps"]?.arrayValue?.first?.objectValue)
        #expect(app["email"] == "hide" && app["address"] == credential["email"])
        #expect(app["forwarding"] == true && object["app"] == nil)
    }

    @Test("The state is not found for an identifier that is not the person's")
    func identifier() async throws {
        try await register(control)
        let credential = try await control.post(
            "/people/maya@example.com/credentials",
            ["client_id": "com.example.juice"],
            expecting: .created
        )
        let user = try #require(credential["user"]?.stringValue)
        let path = "/people/maya@example.com/credential-state?client_id=com.example.juice&user="
        let own = try await control.send(.get, path + user).object
        #expect(own["state"] == "authorized")
        let other = try await control.send(.get, path + "000000.other.0000").object
        #expect(other["state"] == "not_found" && other["number"] == 2)
        #expect(try await control.send(.get, path + user + "&user=b").object["field"] == "user")
    }
}

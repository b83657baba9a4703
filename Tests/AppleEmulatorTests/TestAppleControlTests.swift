import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import Testing

/// What a test of somebody's server does to the emulated Apple.
@Suite("The control operations of a test") struct TestAppleControlTests {
    private static let app: ClientID = "com.example.juice"

    @Test("A fault, switches, new keys and a transfer are what the control port makes of them")
    func operations() async throws {
        try await withAppleEmulator { apple in
            try await apple.addFault(#"{"endpoint": "token", "status": 503}"#)
            #expect(await apple.emulator.faults().first?["status"] == 503)
            try await apple.changeSwitches(#"{"token_type": "bearer"}"#)
            #expect(await apple.emulator.switches()["token_type"] == "bearer")
            let keys = await apple.emulator.state()["signing_keys"]
            try await apple.rotateSigningKeys()
            #expect(await apple.emulator.state()["signing_keys"] != keys)
            await #expect(throws: ControlRefusal.self) {
                try await apple.transfer(Self.app, to: "NOBODYSTEAM")
            }
        }
    }

    @Test("Mail and requests are told as JSON") func reading() async throws {
        try await withAppleEmulator { apple in
            _ = await apple.emulator
                .receiveMail(
                    Data("Subject: Hi\r\n\r\nHi\r\n".utf8),
                    from: nil,
                    to: ["maya@example.com"]
                )
            let mail = try JSONObject(parsing: await apple.mail(of: "maya@example.com"))
            #expect(mail["messages"]?.arrayValue?.count == 1)
            #expect(try JSONValue(parsing: await apple.requests()) == [])
        }
    }

    @Test("Whoever is added is there, and everything is told as JSON") func adding() async throws {
        try await withAppleEmulator { apple in
            try await apple.add(#"{"email": "vera@example.com"}"#, as: .person)
            _ = try await apple.credentials(for: "vera@example.com")
            let people = try JSONObject(parsing: await apple.state())["people"]?.arrayValue
            #expect(people?.contains { $0.objectValue?["email"] == "vera@example.com" } == true)
            try await apple.emulator.stopUsing("vera@example.com", clientID: "com.example.juice")
            let sent = try JSONValue(parsing: await apple.sentNotifications()).arrayValue
            #expect(sent != nil)
        }
    }

    @Test("Text that is no JSON object is an error of the test", arguments: ["", "[]", "{"])
    func noObject(text: String) async throws {
        try await withAppleEmulator { apple in
            await #expect(throws: TestAppleError.self) { try await apple.addFault(text) }
            await #expect(throws: TestAppleError.self) { try await apple.changeSwitches(text) }
        }
    }
}

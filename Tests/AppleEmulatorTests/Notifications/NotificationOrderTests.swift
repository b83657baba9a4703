import AppleEmulator
import AppleIdentity
import Foundation
import Testing

@Suite("Notifications that are asked for") struct NotificationOrderTests {
    private let box: Box

    init() async throws { box = try await Box() }

    @Test("Any event about anybody, also of a type that Apple does not have")
    func anyType() async throws {
        let made = try await box.notify([
            "type": "age-changed é", "client_id": .string(Box.web), "email": "a@b.example",
        ])
        #expect(made["type"] == "age-changed é")
        #expect(made["client_id"] == .string(Box.web))
        #expect(made["claims"]?.objectValue?["aud"] == .string(Box.web))
        let events = made["claims"]?.objectValue?["events"]?.stringValue ?? ""
        #expect(events.contains("\"type\":\"age-changed é\",\"sub\":\"000123.a.0456\""))
        #expect(events.hasSuffix("\"email\":\"a@b.example\",\"is_private_email\":\"false\"}"))
        #expect(made["state"] == "pending")
    }

    @Test("A person is meant by address, in any case, or by sub") func subject() async throws {
        let credentials = try await box.credentials(["email": "hide"])
        let user = try #require(credentials["user"])
        for subject in [["person": "Maya@example.com"], ["sub": user]] as [JSONObject] {
            var order: JSONObject = ["type": "email-enabled", "client_id": .string(Box.app)]
            for member in subject.members { order[member.name] = member.value }
            let made = try await box.apple.sendNotification(order)
            #expect(made["sub"] == user)
            #expect(made["email"] == credentials["email"])
        }
    }

    @Test("A wrong field is named") func wrongFields() async throws {
        let long = JSONValue.string(String(repeating: "x", count: 600))
        let cases: [(JSONObject, String, ControlRefusal.Kind)] = [
            (["kind": "x"], "kind", .unknownField),
            (["type": .null], "type", .wrongField), (["type": 1], "type", .wrongField),
            (["type": ""], "type", .wrongField), (["type": long], "type", .wrongField),
            (["type": "a\nb"], "type", .wrongField),
            (["client_id": .null], "client_id", .wrongField),
            (["client_id": "com.none"], "client_id", .wrongField),
            (["sub": .null], "person", .wrongField), (["sub": long], "sub", .wrongField),
            (["person": .string(Box.maya)], "sub", .wrongField),
            (["sub": .null, "person": "x@y.example"], "person", .wrongField),
            (["sub": .null, "person": .string(Box.maya)], "person", .wrongField),
            (["email": true], "email", .wrongField), (["email": long], "email", .wrongField),
            (["malformed": "somehow"], "malformed", .wrongField),
            (["malformed": true], "malformed", .wrongField),
            (["duplicates": -1], "duplicates", .wrongField),
            (["duplicates": 21], "duplicates", .wrongField),
            (["duplicates": "1"], "duplicates", .wrongField),
            (["delay_seconds": 86_401], "delay_seconds", .wrongField),
            (["delay_seconds": .number(0.5)], "delay_seconds", .wrongField),
        ]
        for (changes, field, kind) in cases {
            let refusal = await box.refusal(ofOrder: changes)
            #expect(refusal?.field == field, "\(changes.text)")
            #expect(refusal?.kind == kind, "\(changes.text)")
        }
        #expect(await box.notifications().isEmpty)
    }

    @Test("Settings change one by one; a wrong one changes nothing") func settings() async throws {
        let standard: JSONObject = [
            "account_deletion": "account-deleted",
            "retry_after_seconds": [10, 60, 600, 3_600],
            "duplicates": 0, "delay_seconds": 0, "on_revocation": false,
        ]
        #expect(await box.apple.notificationSettings() == standard)
        let wrong: [(JSONObject, String)] = [
            (["account_deletion": "account-gone"], "account_deletion"),
            (["retry_after_seconds": 10], "retry_after_seconds"),
            (["retry_after_seconds": [.number(1.5)]], "retry_after_seconds"),
            (["retry_after_seconds": [-1]], "retry_after_seconds"),
            (["retry_after_seconds": [86_401]], "retry_after_seconds"),
            (
                ["retry_after_seconds": .array(Array(repeating: 1, count: 11))],
                "retry_after_seconds"
            ),
            (["duplicates": 21], "duplicates"), (["delay_seconds": -1], "delay_seconds"),
            (["on_revocation": "true"], "on_revocation"), (["retries": 1], "retries"),
        ]
        for (changes, field) in wrong {
            var changes = changes
            if field != "duplicates" { changes["duplicates"] = 2 }
            let refusal = await #expect(throws: ControlRefusal.self) {
                try await box.changeSettings(changes)
            }
            #expect(refusal?.field == field)
        }
        #expect(await box.apple.notificationSettings() == standard)
        try await box.changeSettings(["retry_after_seconds": []])
        try await box.changeSettings(["duplicates": 2])
        let changed = await box.apple.notificationSettings()
        #expect(changed["retry_after_seconds"] == [] && changed["duplicates"] == 2)
        #expect(await box.apple.state()["notification_settings"] == .object(changed))
    }

    @Test("A seed has settings too, and a wrong one is refused with its line") func seed() throws {
        let seed = try Seed(
            yaml: """
                notifications:
                  account_deletion: account-delete
                  retry_after_seconds: [1, 2]
                """
        )
        #expect(seed.notificationSettings.accountDeletion == .accountDelete)
        #expect(seed.notificationSettings.retryDelays == [1, 2])
        #expect(try Seed(yaml: "notifications:").notificationSettings == NotificationSettings())
        let wrong = [
            ("teams: []\nnotifications:\n  duplicates: 1\n  delay_seconds: long\n", 4),
            ("notifications:\n  often: 1\n", 2), ("notifications: []\n", 1),
        ]
        for (yaml, line) in wrong {
            let error = #expect(throws: SeedError.self) { try Seed(yaml: yaml) }
            #expect(error?.line == line, "\(yaml)")
        }
    }

    @Test(
        "Addresses that can't be registered",
        arguments: [
            "juice.example.com/notifications", "http://juice.example.com/", "ftp://localhost/",
            "https://192.0.2.1/", "https://juice.example.com/#top", "https://a b.example/",
            "https://maya:secret@juice.example.com/", "http://juice./", "https://",
        ]
    )
    func wrongAddress(address: String) async throws {
        let app: JSONObject = [
            "client_id": "com.example.pulp", "team_id": .string(Box.team),
            "notification_url": .string(address),
        ]
        let refusal = await box.refusal(of: .app, app)
        #expect(refusal?.field == "notification_url")
    }

    @Test("This machine and containers are told too, with a remark; a strict Apple refuses to")
    func loopback() async throws {
        for isStrict in [false, true] {
            let box = try await Box(configuration: EmulatorConfiguration(isStrict: isStrict))
            let urls = ["http://localhost:8080/n", "http://127.0.0.1:1/", "http://web:8080/n"]
            for (number, url) in urls.enumerated() {
                let clientID = "com.example.pulp\(number)"
                let app: JSONObject = [
                    "client_id": .string(clientID), "team_id": .string(Box.team),
                    "notification_url": .string(url),
                ]
                let refusal = await box.refusal(of: .app, app)
                #expect((refusal?.field == "notification_url") == isStrict)
                if isStrict { continue }
                let made = try await box.notify(["client_id": .string(clientID)])
                #expect(made["hint"]?.stringValue?.contains("https") == true)
            }
        }
        await #expect(throws: SeedError.self) {
            try await Box(configuration: EmulatorConfiguration(isStrict: true)) {
                $0.apps[0].notificationURL = "http://localhost:8080/"
            }
        }
    }
}

import AppleEmulator
import AppleIdentity
import Testing

// Fidelity: notification-3
@Suite("Requested notifications") final class NotificationOrderTests: BoxSuite {
    @Test("Any event about any user, also of a type that Apple does not have")
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
            let order: JSONObject = ["type": "email-enabled", "client_id": .string(Box.app)]
            let made = try await box.apple.sendNotification(order.merging(subject))
            #expect(made["sub"] == user)
            #expect(made["email"] == credentials["email"])
        }
    }

    @Test("A wrong field is named") func wrongFields() async {
        let long = JSONValue.string(String(repeating: "x", count: 600))
        await box.expectRefused([
            (["type": .null], "type"), (["type": 1], "type"), (["type": ""], "type"),
            (["type": long], "type"), (["type": "a\nb"], "type"),
            (["client_id": .null], "client_id"), (["client_id": "com.none"], "client_id"),
            (["sub": .null], "person"), (["sub": long], "sub"),
            (["person": .string(Box.maya)], "sub"),
            (["sub": .null, "person": "x@y.example"], "person"),
            (["sub": .null, "person": .string(Box.maya)], "person"),
            (["email": true], "email"), (["email": long], "email"),
            (["malformed": "somehow"], "malformed"), (["malformed": true], "malformed"),
            (["duplicates": -1], "duplicates"), (["duplicates": 21], "duplicates"),
            (["duplicates": "1"], "duplicates"), (["delay_seconds": 86_401], "delay_seconds"),
            (["delay_seconds": .number(0.5)], "delay_seconds"),
        ]) { try await box.notify($0) }
        await box.expectRefused([(["kind": "x"], "kind")], kind: .unknownField) {
            try await box.notify($0)
        }
        #expect(await box.notifications().isEmpty)
    }

    @Test("Settings change one by one; a wrong one changes nothing") func settings() async throws {
        let standard: JSONObject = [
            "account_deletion": "account-deleted", "retry_after_seconds": [10, 60, 600, 3_600],
            "duplicates": 0, "delay_seconds": 0, "on_revocation": false,
        ]
        #expect(await box.apple.notificationSettings() == standard)
        let many = JSONValue.array(Array(repeating: 1, count: 11))
        let wrong: [(JSONObject, String)] = [
            (["account_deletion": "account-gone"], "account_deletion"),
            (["retry_after_seconds": 10], "retry_after_seconds"),
            (["retry_after_seconds": [.number(1.5)]], "retry_after_seconds"),
            (["retry_after_seconds": [-1]], "retry_after_seconds"),
            (["retry_after_seconds": [86_401]], "retry_after_seconds"),
            (["retry_after_seconds": many], "retry_after_seconds"),
            (["duplicates": 21], "duplicates"), (["delay_seconds": -1], "delay_seconds"),
            (["on_revocation": "true"], "on_revocation"),
        ]
        let right: JSONObject = ["duplicates": 2]
        await box.expectRefused(wrong.map { (right.merging($0), $1) }) {
            try await box.changeSettings($0)
        }
        await box.expectRefused([(right.merging(["retries": 1]), "retries")], kind: .unknownField) {
            try await box.changeSettings($0)
        }
        try await box.changeSettings(["retry_after_seconds": []])
        try await box.changeSettings(right)
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

    @Test("Addresses that can't be registered") func wrongAddress() async {
        let app: JSONObject = ["client_id": "com.example.pulp", "team_id": .string(Box.team)]
        let addresses: [JSONValue] = [
            "juice.example.com/notifications", "http://juice.example.com/", "ftp://localhost/",
            "https://192.0.2.1/", "https://juice.example.com/#top", "https://a b.example/",
            "https://maya:secret@juice.example.com/", "http://juice./", "https://",
        ]
        await box.expectRefused(
            addresses.map { (app.merging(["notification_url": $0]), "notification_url") }
        ) { try await box.apple.add(.app, $0) }
    }

    @Test("URLs on this machine and in containers get a hint; a strict emulator refuses them")
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

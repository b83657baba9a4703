import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite final class ConsoleSteeringTests: ConsoleSuite {
    // MARK: The clock

    @Test func theClockIsMovedOnAndBack() async throws {
        let page = try await visitor.fill(
            "/console/clock/advance",
            [("days", "2"), ("hours", "-1"), ("minutes", "")],
            says: .clockMoved
        )
        #expect(page.contains("1 d 23 h ahead"))
        let step = [("advance_seconds", "3600")]
        let later = try await visitor.fill("/console/clock/advance", step, says: .clockMoved)
        #expect(later.contains("2 d ahead"))
        let back = try await visitor.fill("/console/clock/reset", says: .clockMoved)
        #expect(back.contains("<dd>none</dd>"))
    }

    @Test func theClockIsSet() async throws {
        let now = [("now", "2031-05-06T07:08:09Z")]
        let page = try await visitor.fill("/console/clock/set", now, says: .clockMoved)
        #expect(page.contains("2031-05-06 07:08:"))
    }

    @Test(arguments: [
        ("set", "now", "soon"), ("set", "now", ""), ("set", "now", "9999-01-01T00:00:00Z"),
        ("advance", "days", "many"), ("advance", "hours", "1.5"),
        ("advance", "minutes", "99999999999999999999"),
    ])
    func wrongTimesAreToldAtTheirField(form: String, field: String, text: String) async throws {
        try await visitor.expectRefusal("/console/clock/\(form)", form, [(field, text)], at: field)
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "99999999999999999999", "x"])
    func noSumOfNumbersEndsTheProcess(seconds: String) async throws {
        let fields = [("advance_seconds", seconds), ("days", "1"), ("hours", "1")]
        let answer = try await visitor.post("/console/clock/advance", fields)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("whole number from -10000000000 to 10000000000"))
    }

    @Test func aCenturyIsTheLimit() async throws {
        let answer = try await visitor.post("/console/clock/advance", [("days", "40000")])
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("a hundred years"))
    }

    // MARK: Faults and switches

    @Test func faultsAreAddedAndCleared() async throws {
        let path = "/console/faults"
        let page = try await visitor.fill(
            path,
            [
                ("endpoint", "token"), ("status", "502"), ("delay_ms", ""), ("count", "3"),
                ("body", "<h1>Bad Gateway</h1>"), ("headers", "{\"Retry-After\": \"60\"}"),
            ],
            says: .faultAdded
        )
        #expect(page.contains("status <bdi>502</bdi>") && page.contains("&lt;h1&gt;Bad Gateway"))
        #expect(page.contains("Retry-After"))
        let cleared = try await visitor.fill(path + "/clear", says: .faultsCleared)
        #expect(cleared.contains("No faults."))
    }

    @Test(arguments: [
        ([("endpoint", "token")], "status"), ([("endpoint", "x"), ("status", "500")], "endpoint"),
        ([("endpoint", "token"), ("status", "abc")], "status"),
        ([("endpoint", "token"), ("status", "500"), ("count", "0")], "count"),
        ([("endpoint", "token"), ("headers", "{")], "headers"),
        ([("endpoint", "token"), ("delay_ms", "9999999")], "delay_ms"),
    ])
    func wrongFaultsAreToldAtTheirField(fields: [(String, String)], field: String) async throws {
        try await visitor.expectRefusal("/console/faults", "fault", fields, at: field)
    }

    @Test(arguments: [
        ("boolean_claims", "text"), ("nonce_supported", "false"), ("code_seconds", "60"),
        ("issuer", "https://account.apple.com"), ("throttled_refresh", "429"),
    ])
    func aSwitchIsSetAndGoesBack(name: String, value: String) async throws {
        let path = "/console/faults/switch"
        let fields = [("name", name), ("value", value)]
        let page = try await visitor.fill(path, fields, says: .switchChanged)
        #expect(page.contains("<li id=\"switch-\(name)\" class=\"changed\">"))
        let switches = await visitor.emulator.switches()
        #expect(ConsoleText.plain(switches[name]) == value)
        let back = try await visitor.fill("/console/faults/switches/reset", says: .switchesReset)
        #expect(!back.contains("class=\"changed\""))
    }

    @Test(arguments: [
        ("boolean_claims", "perhaps"), ("nonce_supported", "maybe"), ("code_seconds", "0"),
        ("code_seconds", "soon"), ("issuer", ""),
    ])
    func wrongValuesOfSwitchesAreToldAtThem(name: String, value: String) async throws {
        let fields = [("name", name), ("value", value)]
        let path = "/console/faults/switch"
        try await visitor.expectRefusal(path, "switch-\(name)", fields, at: "value")
    }

    @Test func anUnknownSwitchIsToldSo() async throws {
        let answer = try await visitor.post("/console/faults/switch", [("name", "<b>")])
        #expect(answer.status == .notFound && answer.text.contains("no such switch"))
    }

    @Test func switchesAreGroupedAndFiltered() async throws {
        let all = try await visitor.open("/console/faults")
        for title in [
            "Discovery and keys", "Identity tokens", "Codes and tokens", "Authorization and errors",
        ] {
            #expect(all.contains("<h3>\(title)</h3>"), "\(title)")
        }
        let found = try await visitor.open("/console/faults?q=RELAY")
        #expect(found.contains("<code>relay_domain</code>"))
        #expect(!found.contains("<code>token_type</code>"))
        #expect(!found.contains("<h3>Discovery and keys</h3>"))
        let none = try await visitor.open("/console/faults?q=xyz")
        #expect(none.contains("No switch contains this text."))
    }

    @Test func changedSwitchesAreMarkedAndShownAlone() async throws {
        let path = "/console/faults?only=changed"
        #expect(try await visitor.open(path).contains("No switch is changed."))
        _ = try await visitor.emulator.changeSwitches(["code_seconds": 60])
        let row = "<li id=\"switch-code_seconds\""
        #expect(try await visitor.open("/console/faults").contains(row + " class=\"changed\">"))
        let changed = try await visitor.open(path)
        #expect(changed.contains("<code>code_seconds</code>"))
        #expect(!changed.contains("<code>token_type</code>"))
    }

    @Test func everySwitchHasASentenceAndEachValueALabelOfItsOwn() async throws {
        for object in await visitor.emulator.consoleSwitches() {
            #expect(!object.text("about").isEmpty, "\(object.text("name"))")
            let labels = object.objects("options").map { $0.text("label") }
            #expect(!labels.contains("") && Set(labels).count == labels.count)
        }
    }

    @Test func valuesAreShownAndFoundInWords() async throws {
        let page = try await visitor.open("/console/faults")
        let option = "<option value=\"several\" selected>Earlier ones stay valid (several)</option>"
        #expect(page.contains(option))
        let found = try await visitor.open("/console/faults?q=stay+valid")
        #expect(found.contains("<code>refresh_tokens</code>"))
        #expect(!found.contains("<code>token_type</code>"))
        _ = try await visitor.emulator.changeSwitches(["refresh_tokens": "one"])
        let changed = try await visitor.open("/console/faults")
        #expect(changed.contains("default: <bdi>Earlier ones stay valid (several)</bdi>"))
    }

    @Test func changedSwitchesComeFirst() async throws {
        let before = try await visitor.open("/console/faults")
        #expect(!before.contains("<h3>Changed</h3>"))
        _ = try await visitor.emulator.changeSwitches(["popup_answers": false])
        let page = try await visitor.open("/console/faults")
        let titles = page.matches(of: #/<h3>([^<]*)<\/h3>/#).map { String($0.1) }
        #expect(titles.prefix(2) == ["Changed", "Discovery and keys"])
        #expect(page.ranges(of: "<code>popup_answers</code>").count == 1)
    }

    @Test func aChangeNeedsNoButtonButHasOneWithoutScripts() async throws {
        let page = try await visitor.open("/console/faults")
        let forms = page.components(separatedBy: " class=\"row-form\" data-at-once>").dropFirst()
        let switches = await visitor.emulator.consoleSwitches()
        #expect(forms.count == switches.count)
        #expect(forms.allSatisfy { $0.contains("<noscript><p class=\"buttons\"><button") })
        let fields = [("name", "pkce"), ("value", "required")]
        let answer = try await visitor.post("/console/faults/switch", fields, expecting: .seeOther)
        #expect(answer.headers[.location]?.hasSuffix("#switch-pkce") == true)
    }

    // MARK: Notifications

    @Test func aNotificationIsSentAndSentAgain() async throws {
        try await visitor.emulator.meet()
        let path = "/console/notifications"
        let page = try await visitor.fill(
            path,
            [
                ("type", "email-disabled"), ("client_id", "com.example.juice"),
                ("person", ConsoleWorld.email), ("malformed", ""), ("duplicates", "0"),
            ],
            says: .notificationSent
        )
        #expect(page.contains("1. email-disabled") && page.contains("not sent"))
        let number = [("number", "1")]
        let again = try await visitor.fill(path + "/again", number, says: .notificationSent)
        #expect(again.contains("2. email-disabled"))
    }

    @Test(arguments: [
        ([("client_id", "nothing"), ("sub", "1")], "client_id"), ([], "person"),
        ([("person", "nobody@example.com")], "person"),
        ([("sub", "1"), ("malformed", "somehow")], "malformed"),
        ([("sub", "1"), ("duplicates", "many")], "duplicates"),
    ])
    func wrongNotificationsAreToldAtTheirField(
        changes: [(String, String)],
        field: String
    ) async throws {
        let isKnown = !changes.contains { $0.0 == "client_id" }
        let fields =
            [("type", "consent-revoked")] + (isKnown ? [("client_id", "com.example.juice")] : [])
        let path = "/console/notifications"
        try await visitor.expectRefusal(path, "send", fields + changes, at: field)
    }

    @Test func aForgottenNotificationIsNotSentAgain() async throws {
        let answer = try await visitor.post("/console/notifications/again", [("number", "7")])
        #expect(answer.status == .notFound)
    }

    @Test func settingsAreChanged() async throws {
        let page = try await visitor.fill(
            "/console/notifications/settings",
            [
                ("account_deletion", "account-delete"), ("retry_after_seconds", "1, 2"),
                ("duplicates", "1"), ("delay_seconds", "5"), ("on_revocation", "true"),
            ],
            says: .settingsChanged
        )
        #expect(page.contains("value=\"1, 2\""))
        let settings = await visitor.emulator.notificationSettings()
        #expect(settings["on_revocation"] == true && settings["delay_seconds"] == 5)
    }

    @Test(arguments: [
        ("retry_after_seconds", "soon"), ("duplicates", "21"), ("delay_seconds", "-1"),
        ("account_deletion", "gone"),
    ])
    func wrongSettingsAreToldAtTheirField(field: String, text: String) async throws {
        let path = "/console/notifications/settings"
        try await visitor.expectRefusal(path, "settings", [(field, text)], at: field)
    }
}

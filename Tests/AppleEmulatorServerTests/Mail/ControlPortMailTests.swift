import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import AppleEmulatorServer

@Suite struct ControlPortMailTests {
    private let emulator: AppleEmulator
    private let control: ControlClient

    init() async throws {
        emulator = try await makeEmulator(of: .demo())
        let mail = Data("From: a@juice.example.com\r\n\r\nHello.".utf8)
        _ = await emulator.receiveMail(mail, from: nil, to: ["maya@example.com"])
        control = try await ControlClient(emulator)
    }

    @Test func sourcesAreRegistered() async throws {
        let control = try await ControlClient()
        try await control.post("/teams", ["team_id": "TEAM123456"], expecting: .created)
        let source: JSONObject = ["team_id": "TEAM123456", "domain": "mail.example.com"]
        try await control.post("/mail-sources", source, expecting: .created)
        try await control.post("/mail-sources", source, expecting: .ok)
        let state = try await control.send(.get, "/state")
        #expect(state.object["mail_sources"]?.arrayValue?.count == 1)
        let wrong = try await control.post(
            "/mail-sources",
            ["team_id": "TEAM123456"],
            expecting: .unprocessableContent
        )
        #expect(wrong["field"] == "domain")
    }

    @Test func mailIsListedReadAnsweredAndForgotten() async throws {
        let list = try await control.send(.get, "/mail?person=maya%40example.com")
        #expect(list.object["messages"]?.arrayValue?.count == 1)
        #expect(list.object["bounces"] == [] && list.object["sent"] == [])
        let mail = try await control.send(.get, "/mail/1")
        #expect(mail.object["text"] == "Hello." && mail.object["raw"] != nil)
        let reply = try await control.post(
            "/mail/1/reply",
            ["text": "Thanks\nMaya"],
            expecting: .created
        )
        #expect(reply["state"] == "kept")
        try await control.send(.delete, "/mail", expecting: .noContent)
        let gone = try await control.send(.get, "/mail/1", expecting: .notFound)
        #expect(gone.object["field"] == "id")
    }

    @Test(arguments: [
        ("/mail?person=nobody", 422), ("/mail?person=", 422),
        ("/mail?person=maya@example.com&person=a@example.com", 422), ("/mail/x", 404),
        ("/mail/%FF", 422), ("/mail/99999999999999999999", 404),
    ])
    func wrongLooksAreRefused(path: String, status: Int) async throws {
        let answer = try await control.send(.get, path)
        #expect(answer.status.code == status)
        #expect(answer.object["detail"]?.stringValue?.isEmpty == false)
    }

    @Test func wrongAnswersAreRefused() async throws {
        try await control.post("/mail/1/reply", [:], expecting: .unprocessableContent)
        try await control.post("/mail/7/reply", ["text": "x"], expecting: .notFound)
        try await control.send(.patch, "/mail/1", expecting: .methodNotAllowed)
        try await emulator.deletePerson("maya@example.com")
        try await control.post("/mail/1/reply", ["text": "x"], expecting: .conflict)
    }
}

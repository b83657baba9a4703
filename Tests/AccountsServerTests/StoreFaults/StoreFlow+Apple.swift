import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

/// Linked Apple Accounts, apps that sign in through the browser, and Apple's notifications.
extension StoreFlow {
    static let links = [
        StoreFlow("a link to Apple by an app") { world in
            let token = try await world.server.tokenOfNewAccount()
            let credential = try await world.apple.credentials()
            let request: JSONObject = credential.request
            return Steps(
                doneCodes: ["token_replayed"],
                act: { refused in
                    var request = request
                    request["resumeToken"] = refused?.json?["resumeToken"]
                    return try await world.server.put("/api/account/apple", request, token)
                },
                check: {
                    expectSame(try await world.server.account(token)["apple"] != .null, true)
                    try await world.checkDeletion(by: token)
                }
            )
        },
        StoreFlow("a link to Apple in a browser") { world in
            let token = try await world.server.tokenOfNewAccount()
            let browser = TestBrowser(world.server, session: token)
            let callback = try await browser.callback(goal: "?purpose=link")
            return Steps(
                doneCodes: ["token_replayed"],
                act: { refused in
                    guard let refused else { return try await browser.post(callback) }
                    let fields = RepeatForm.fields(of: refused.text)
                    return try await browser.post("/sign-in/apple/callback/again", fields)
                },
                check: {
                    expectSame(try await world.server.account(token)["apple"] != .null, true)
                    try await world.checkDeletion(by: token)
                }
            )
        },
        StoreFlow("the end of the link to Apple") { world in
            let token = try await world.linkedAccount()
            return Steps(doneCodes: ["apple_not_linked"]) {
                try await world.server.delete("/api/account/apple", token)
            } check: {
                expectSame(try await world.server.account(token)["apple"], .null)
                world.apple.time.advance(bySeconds: 200)
                await world.worker.drain()
                expectSame(try await world.appleState() != "authorized", true)
                expectSame(try await world.server.signIn("maya").status, .created)
            }
        },
    ]

    static let apps = [
        StoreFlow("the consent that an app comes back with a code") { world in
            let (app, browser) = (AppClient(), TestBrowser(world.server))
            try await browser.signIn()
            let page = try await browser.get(try await browser.begin(app))
            let fields = ["request", "session"].map { ($0, page.hidden($0) ?? "") }
            let codes = LockedValue("")
            return Steps(
                act: { _ in
                    let pressed = fields + [("action", "continue")]
                    let answer = try await browser.post("/sign-in/app/confirm", pressed)
                    let code = answer.status == .ok ? try app.answer(answer)["code"] : nil
                    codes.withLock { $0 = code ?? "" }
                    return answer
                },
                check: {
                    let answer = try await app.redeem(codes.withLock { $0 }, at: world.server)
                    #expect(answer.status == .created, "\(answer.text)")
                }
            )
        },
        StoreFlow("an app's code for a session") { world in
            let (app, browser) = (AppClient(), TestBrowser(world.server))
            try await browser.signIn()
            let path = try await browser.begin(app)
            let code = try app.answer(try await browser.press("continue", on: path))["code"] ?? ""
            return Steps(doneCodes: ["app_code_invalid"]) {
                try await app.redeem(code, at: world.server)
            } check: {
                let (codes, sessions) = (
                    try await world.count("app_codes"), try await world.count("sessions")
                )
                #expect(codes == 0 && sessions == 2)
            }
        },
    ]

    static let events = [
        StoreFlow("Apple's word that a person has stopped using the app") { world in
            let token = try await world.server.token()
            try await world.stopUsing()
            return world.delivery {
                let answer = try await world.server.get("/api/account", token)
                #expect(answer.code == "session_invalid")
                expectSame(try await world.count("accounts"), 1)
            }
        },
        StoreFlow("Apple's word that an Apple Account is gone") { world in
            let token = try await world.server.token()
            try await world.apple.emulator.deletePerson(FaultWorld.email)
            return world.delivery {
                let answer = try await world.server.get("/api/account", token)
                #expect(answer.code == "session_invalid")
                expectSame(try await world.count("accounts"), 0)
            }
        },
        StoreFlow("Apple's word that mail is not forwarded") { world in
            let credential = try await world.apple.credentials(hidesEmail: true)
            let signedIn = try await world.server.signInNatively(credential)
            let token = try #require(signedIn.json?["token"]?.stringValue)
            try await world.apple.emulator.setForwarding(
                FaultWorld.email,
                clientID: "com.example.juice",
                enabled: false
            )
            return world.delivery {
                expectSame(try await world.server.account(token)["emailDeliverable"], false)
            }
        },
    ]
}

extension FaultWorld {
    /// An account with a password and Apple, by its session's token.
    fileprivate func linkedAccount() async throws -> String {
        let token = try await server.tokenOfNewAccount()
        let credential = try await apple.credentials()
        let answer = try await server.put("/api/account/apple", credential.request, token)
        try #require(answer.status == .ok, "\(answer.text)")
        return token
    }

    /// Apple delivers its notifications, and again after an hour when one was not accepted.
    fileprivate func delivery(
        check: @escaping @Sendable () async throws -> Void
    ) -> StoreFlow.Steps {
        StoreFlow.Steps(
            act: { refused in
                if refused != nil { apple.time.advance(bySeconds: 3600) }
                return await server.deliver().last
            },
            check: check
        )
    }
}

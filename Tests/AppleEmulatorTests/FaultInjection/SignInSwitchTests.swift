import AppleEmulator
import Foundation
import Testing

@Suite("Switches of a sign-in") final class SignInSwitchTests: BoxSuite {
    private static let asked = ["siwa_switches": #"{"boolean_claims":"text","code_seconds":600}"#]

    private func isText(_ token: String?) -> Bool {
        TokenText(token).claims["email_verified"] == "true"
    }

    @Test("They apply to the response, the exchange and each refresh of this sign-in")
    func wholeSignIn() async throws {
        let form = try await box.signInOnTheWeb(Self.asked)
        #expect(isText(form["id_token"]))
        let tokens = try await box.exchange(try #require(form["code"]))
        #expect(isText(tokens["id_token"]))
        let hint = await box.lastHint()
        #expect(
            hint == "Apple may refuse requests without a User-Agent field;"
                + " the sign-in was started with its own switches"
        )
        for _ in 1...2 {
            let refreshed = try await box.refresh(tokens["refresh_token"])
            #expect(isText(refreshed["id_token"]))
        }
        let other = try await box.signInOnTheWeb()
        #expect(!isText(other["id_token"]))
        #expect(!isText(try await box.exchange(other["code"] ?? "")["id_token"]))
        #expect(await box.apple.switches()["boolean_claims"] == "boolean")
    }

    @Test("They last through the pages of the sheet") func sheet() async throws {
        let page = await box.authorize(Self.asked)
        let answer = await box.step(await box.signIn(page), "continue", Box.consent)
        #expect(isText(answer.hiddenFields["id_token"]))
        // Longer than the default lifetime of a code.
        box.time.advance(bySeconds: 400)
        let tokens = try await box.exchange(answer.hiddenFields["code"] ?? "")
        #expect(isText(tokens["id_token"]))
    }

    @Test("A later request's own switches take precedence") func laterRequest() async throws {
        let tokens = try await box.tokens(Self.asked)
        let query = "?siwa_switches=%7B%22boolean_claims%22:%22boolean%22%7D"
        let reply = try await box.refresh(tokens["refresh_token"], query: query)
        #expect(reply.status == 200 && !isText(reply["id_token"]))
        #expect(isText(try await box.refresh(tokens["refresh_token"])["id_token"]))
    }

    @Test("They are kept with the state") func kept() async throws {
        let token = try await box.tokens(Self.asked)["refresh_token"] ?? ""
        let state = await box.apple.exported()
        let restored = try await Box(importing: state, as: box)
        #expect(isText(try await restored.refresh(token)["id_token"]))
        let wrong = String(decoding: state, as: UTF8.self)
            .replacing(/"boolean_claims": ?"text"/, with: #""boolean_claims":"maybe""#)
        await #expect(throws: ControlRefusal.self) {
            try await box.apple.importState(Data(wrong.utf8))
        }
    }

    @Test("They go with the app to another team") func transfer() async throws {
        let token = try await box.tokens(Self.asked)["refresh_token"] ?? ""
        _ = try await box.apple.add(.team, ["team_id": "OTHERTEAM1"])
        for team in ["OTHERTEAM1", Box.team] { try await box.transfer(to: team) }
        #expect(isText(try await box.refresh(token)["id_token"]))
    }
}

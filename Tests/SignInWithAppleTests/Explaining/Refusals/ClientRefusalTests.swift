import AppleIdentity
import Foundation
import SignedTokens
import Testing

@testable import SignInWithApple

/// Client secrets with one mistake each, and the first cause found for it.
@Suite struct ClientRefusalTests {
    private static let now = Date(timeIntervalSince1970: 1_769_000_000)
    private static let clientID: ClientID = "com.example.juice"

    private func causes(
        header: JSONObject = ["alg": "ES256", "kid": "ABC123DEFG"],
        changing claims: JSONObject = JSONObject(),
        secret: String? = nil,
        clientID: ClientID = Self.clientID,
        accepted: Set<ClientID> = [],
        appleTime: Date? = nil
    ) throws -> [RefusalCause] {
        let issuedAt = Int(Self.now.timeIntervalSince1970)
        var payload: JSONObject = [
            "iss": "DEF123GHIJ", "iat": .integer(issuedAt), "exp": .integer(issuedAt + 600),
            "aud": "https://appleid.apple.com", "sub": .string(Self.clientID.rawValue),
        ]
        for name in ["iss", "iat", "exp", "aud", "sub"] {
            if let value = claims[name] { payload[name] = value == .null ? nil : value }
        }
        let signed = try TestSecretKey().key().signingKey
            .sign(header: header.data, payload: payload.data)
        let history = SentHistory()
        for clientID in accepted { history.noteAccepted(clientID) }
        let sent = SentRequest(
            purpose: .token("r"),
            client: ClientCredentials(clientID: clientID, secret: secret ?? signed),
            audience: "https://appleid.apple.com",
            history: history,
            time: Self.now
        )
        return sent.clientCauses(appleTime: appleTime)
    }

    private func expectFirst(
        _ code: RefusalCause.Code,
        _ causes: [RefusalCause],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(causes.first?.code == code, sourceLocation: sourceLocation)
        #expect(causes.first?.isEvident == true, sourceLocation: sourceLocation)
    }

    @Test func timesAreJudgedByTheClock() throws {
        let now = Int(Self.now.timeIntervalSince1970)
        expectFirst(.secretExpired, try causes(changing: ["exp": .integer(now - 1)]))
        expectFirst(.secretNotYetValid, try causes(changing: ["iat": .integer(now + 60)]))
        expectFirst(
            .secretLifetimeTooLong,
            try causes(changing: ["exp": .integer(now + 15_777_001)])
        )
        expectFirst(.secretMalformed, try causes(changing: ["exp": .null]))
        let longest = try causes(changing: ["exp": .integer(now + 15_777_000)])
        #expect(!longest.contains { $0.isEvident })
    }

    @Test func applesClockGoesBeforeThisOne() throws {
        let late = try causes(appleTime: Self.now + 700)
        expectFirst(.clockWrong, late)
        #expect(late.first?.explanation.contains("behind Apple's") == true)
        #expect(late.dropFirst().first?.code == .secretExpired)
        #expect(late.dropFirst().first?.explanation.contains("Apple's clock") == true)
        let early = try causes(appleTime: Self.now - 700)
        #expect(early.prefix(2).map(\.code) == [.clockWrong, .secretNotYetValid])
        expectFirst(.clockWrong, try causes(appleTime: Self.now + 60))
        let close = try causes(appleTime: Self.now + 30)
        #expect(!close.contains { $0.code == .clockWrong })
    }

    @Test func namesInTheSecretAreRead() throws {
        expectFirst(.secretSubjectMismatch, try causes(changing: ["sub": "com.example.Juice"]))
        expectFirst(.secretAudienceMismatch, try causes(changing: ["aud": "https://example.com"]))
        expectFirst(.secretMalformed, try causes(changing: ["iss": "Juice Makers"]))
        expectFirst(.secretMalformed, try causes(header: ["alg": "ES256"]))
        expectFirst(.keyIDIsTeamID, try causes(changing: ["iss": "ABC123DEFG"]))
        expectFirst(
            .clientIDHasTeamPrefix,
            try causes(
                changing: ["sub": "DEF123GHIJ.com.example.juice"],
                clientID: "DEF123GHIJ.com.example.juice"
            )
        )
        expectFirst(.secretMalformed, try causes(secret: "clientSecret"))
    }

    @Test func whatTheRequestDoesNotShowIsRanked() throws {
        let causes = try causes()
        #expect(
            causes.map(\.code) == [.keyMismatch, .keyOfAnotherGroup, .teamMismatch, .clientUnknown]
        )
        #expect(causes.allSatisfy { !$0.isEvident && !$0.remedy.isEmpty })
        #expect(causes[0].explanation.contains("ABC123DEFG"))
        #expect(causes[2].explanation.contains("DEF123GHIJ"))
        #expect(causes[3].explanation.contains("com.example.juice"))
    }

    @Test func successOfAnotherClientClearsKeyAndTeam() throws {
        let causes = try causes(accepted: ["com.example.juice.web"])
        #expect(causes.map(\.code) == [.keyOfAnotherGroup, .clientUnknown])
        #expect(causes[0].explanation.contains("com.example.juice.web"))
        let same = try self.causes(accepted: [Self.clientID])
        #expect(same.map(\.code) == [.keyMismatch])
    }

    @Test func everyNameInASentenceIsFilledIn() throws {
        let names = [
            "address", "age", "app", "apple", "audience", "clock", "expected", "fault", "found",
            "key", "limit", "other", "seconds", "side", "subject", "team", "verifier", "was",
        ]
        for (code, sentences) in RefusalCause.sentences {
            #expect(!sentences.explanation.isEmpty && !sentences.remedy.isEmpty, "\(code)")
            for name in "\(sentences)".matches(of: /\{(.*?)\}/) {
                #expect(names.contains(String(name.output.1)), "\(code)")
            }
        }
        for cause in try causes(changing: ["sub": "x", "aud": "x", "exp": 1], appleTime: .now) {
            #expect(!cause.description.contains("{"), "\(cause)")
        }
    }

    @Test func dateFieldsAreRead() {
        #expect(
            HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT")
                == Date(timeIntervalSince1970: 784_111_777)
        )
        for text in ["", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT", nil] {
            #expect(HTTPDate.parse(text) == nil)
        }
    }
}

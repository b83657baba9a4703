import AppleIdentity
import Foundation
import Testing

@testable import SignInKit

@Suite("The account as the server tells it") struct AccountProfileTests {
    private static let account = #""id": "a1", "createdAt": "2026-05-01T12:00:00Z""#

    private func profile(_ members: String) throws -> AccountProfile {
        let text =
            "{" + [Self.account, members].filter { !$0.isEmpty }.joined(separator: ", ") + "}"
        return try AccountProfile(JSONFields(JSONObject(parsing: Data(text.utf8))))
    }

    @Test("Both parts of the name, and whether a deletion leaves the link at Apple")
    func whole() throws {
        let profile = try profile(
            #""name": "박건규", "givenName": "건규", "familyName": "박", "appleLinkRemains": true"#
        )
        #expect(profile.name == "박건규" && profile.displayName == "박건규")
        #expect(profile.givenName == "건규" && profile.familyName == "박")
        #expect(profile.appleLinkRemains)
    }

    @Test(
        "A server that does not tell them, or tells null, is read all the same",
        arguments: ["", #""givenName": null, "familyName": null, "appleLinkRemains": false"#]
    )
    func missing(members: String) throws {
        let profile = try profile(members)
        #expect(profile.givenName == nil && profile.familyName == nil)
        #expect(!profile.appleLinkRemains && profile.displayName == nil)
    }

    @Test("What is kept is read back, and what an earlier version kept, too") func kept() throws {
        var profile = try profile(#""givenName": "Maya", "appleLinkRemains": true"#)
        let data = try JSONEncoder().encode(profile)
        #expect(try JSONDecoder().decode(AccountProfile.self, from: data) == profile)
        let earlier = """
            {"id": "a1", "name": "Maya", "emailIsVerified": false, "emailIsPrivateRelay": false, \
            "emailDeliverable": false, "createdAt": 0}
            """
        let read = try JSONDecoder().decode(AccountProfile.self, from: Data(earlier.utf8))
        #expect(read.name == "Maya" && !read.appleLinkRemains)
        profile.appleLinkRemains = false
        #expect(profile == (try self.profile(#""givenName": "Maya""#)))
    }

    @Test("A name is changed as a whole or in its parts, and never in both")
    func rename() async throws {
        let answers = SentRequests(answer: "{" + Self.account + "}")
        let server = ServerConnection(
            configuration: SignInConfiguration(
                server: try #require(URL(string: "https://juice.example.com"))
            ),
            transport: answers,
            time: .live
        )
        _ = try await server.send(.rename(to: "박건규"), token: "token")
        _ = try await server.send(
            .rename(to: PersonName(givenName: "건규", familyName: "박")),
            token: "token"
        )
        _ = try await server.send(.rename(to: PersonName(givenName: "Maya")), token: "token")
        let bodies = try answers.bodies.map { try JSONValue(parsing: $0) }
        #expect(
            bodies == [
                .object(["name": "박건규"]),
                .object(["givenName": "건규", "familyName": "박"]),
                .object(["givenName": "Maya", "familyName": .null]),
            ]
        )
    }
}

/// Answers every request with the same, and keeps what was sent.
private final class SentRequests: ServerTransport {
    private let answer: Data
    private let sent = LockedValue<[Data]>([])

    init(answer: String) {
        self.answer = Data(answer.utf8)
    }

    var bodies: [Data] { sent.withLock { $0 } }

    func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
        sent.withLock { $0.append(request.body ?? Data()) }
        return ServerAnswer(status: 200, body: answer)
    }
}

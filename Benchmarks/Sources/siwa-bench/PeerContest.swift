import Foundation

/// First sign-ins against the field's best-known server, if its libraries are there.
enum PeerContest {
    /// How many sign-ins are ready for one round of the accounts server, and of the peer, whose keys are
    /// fetched for each.
    private static let readyCount = (ours: 12_000, peer: 1_000)

    static func make(apple: ServedApple) async throws -> [Contest] {
        let folder = try BenchFolder.make()
        guard let peer = try await AllauthPeer.start(keysURL: apple.keysURL, folder: folder) else {
            return []
        }
        let server = try apple.accountsServer(folder: folder)
        let (people, others) = (PersonNumbers(), PersonNumbers())
        return [
            Contest(
                title: "Native first sign-ins, \(Load.connectionCount) connections, both durable",
                contenders: [
                    Contest.Contender(name: "django-allauth, gunicorn, two workers") {
                        let tokens = try await apple.tokens(others.next(readyCount.peer))
                        return try await Load.post(
                            tokens.map { AllauthPeer.body(identityToken: $0) },
                            type: SignInServers.type,
                            to: peer.url
                        )
                        .rate
                    },
                    Contest.Contender(name: SignInServers.name(Load.connectionCount)) {
                        try await Load.post(
                            try await apple.signIns(people.next(readyCount.ours)),
                            type: SignInServers.type,
                            to: server.url.appending(path: "api/sessions/apple")
                        )
                        .rate
                    },
                ]
            )
        ]
    }
}

import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignedTokens

/// The console's tour, which acts as an app and its server.
extension AppleEmulator {
    private static let secretSeconds = 300

    package func tourFacts() -> TourFacts {
        TourFacts(currentState, isNamedWorld: configuration.world != nil)
    }

    /// Signs the tour's user in on a device with a hidden email address, and exchanges the code as
    /// an app's server does.
    package func playSignIn(
        withBrokenSecret isSecretBroken: Bool
    ) async throws(ControlRefusal) -> TourOutcome {
        let facts = tourFacts()
        guard let clientID = facts.clientID, let visitor = facts.visitor else {
            throw .notFound("client_id", "there is no app, or no user who could sign in to it")
        }
        let secret = try clientSecret(for: clientID, isBroken: isSecretBroken)
        let credential = try await credentials(
            for: visitor.email,
            ["client_id": .string(clientID), "scopes": ["name", "email"], "email": "hide"]
        )
        let form = FormCoding.encode([
            ("client_id", clientID), ("client_secret", secret),
            ("grant_type", "authorization_code"),
            ("code", credential["authorization_code"]?.stringValue ?? ""),
        ])
        let request = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "localhost",
            path: ApplePath.token,
            headerFields: [
                .contentType: "application/x-www-form-urlencoded", .userAgent: "siwa-console",
            ]
        )
        let answer = await respond(to: request, body: Data(form.utf8))
        return TourOutcome(answer, reason: requests().last?["reason"]?.stringValue)
    }

    private func clientSecret(
        for clientID: String,
        isBroken: Bool
    ) throws(ControlRefusal) -> String {
        let client = try currentState.registry.require(clientID)
        let key = TourFacts.key(of: client, in: currentState.registry)
        guard let key, let pem = key.privateKeyPEM else {
            throw .notFound("key_id", "the emulator has no private key for the team of \(clientID)")
        }
        let now = Int(currentState.clock.now.timeIntervalSince1970)
        let header: JSONObject = ["alg": "ES256", "kid": .string(key.keyID.rawValue)]
        let claims: JSONObject = [
            "iss": .string(key.teamID.rawValue), "iat": .integer(now),
            "exp": .integer(now + Self.secretSeconds),
            "aud": .string(currentState.switches.issuer), "sub": .string(clientID),
        ]
        do {
            let pair = try P256.Signing.PrivateKey(pemRepresentation: pem)
            return try SigningKey(isBroken ? P256.Signing.PrivateKey() : pair)
                .sign(header: Data(header.text.utf8), payload: Data(claims.text.utf8))
        } catch {
            throw .wrong("key_id", "can't sign: \(error)")
        }
    }
}

/// The user, the app and the key of the console's tour.
package struct TourFacts: Sendable {
    package struct Visitor: Sendable {
        package let email: String
        package let name: String
        package let hasStandardPassword: Bool
    }

    package struct Use: Sendable {
        package let email: String
        package let name: String
        package let clientID: String
        package let appName: String
        /// The relay address; nil if the app has the person's own address.
        package let relayEmail: String?
        /// Whether the app's mail to the relay address is forwarded.
        package let isForwarded: Bool
        /// An address from which the app's team may send to the relay address.
        package let senderEmail: String?
        fileprivate let usedAt: Date
    }

    /// Whether the emulator is a named world; links to an app would lead to the default world.
    package let isNamedWorld: Bool
    /// The site of a Services ID on this machine or in a container; nil if none is known.
    package let site: URL?
    /// The app of the tour; nil if none is registered.
    package let clientID: String?
    package let appName: String
    /// A key of the app's team whose private key the emulator has.
    package let keyID: String?
    /// The first person who can hide their email address; nil if there is none.
    package let visitor: Visitor?
    package let latestUse: Use?
    package let latestHiddenUse: Use?
}

extension TourFacts {
    init(_ state: EmulatorState, isNamedWorld: Bool) {
        self.isNamedWorld = isNamedWorld
        let (service, site) = Self.site(in: state.registry)
        self.site = site
        let app = service?.primaryClientID ?? state.registry.apps.sortedValues.first?.clientID
        let client = app.flatMap { state.registry.client($0) }
        clientID = client?.clientID.rawValue
        appName = client?.name ?? ""
        keyID = client.flatMap { Self.key(of: $0, in: state.registry) }?.keyID.rawValue
        visitor = state.people.firstVisitor.map { person in
            Visitor(
                email: person.account.email,
                name: person.shownName,
                hasStandardPassword: person.account.password == SeedPerson.standardPassword
            )
        }
        let uses = state.people.all.filter { !$0.account.isOfCheck }.flatMap {
            Self.uses(of: $0, in: state)
        }
        latestUse = uses.max { $0.usedAt < $1.usedAt }
        latestHiddenUse = uses.filter { $0.relayEmail != nil }.max { $0.usedAt < $1.usedAt }
    }

    /// The first Services ID with a local site: its redirect URI has plain `http` or a loopback host.
    private static func site(in registry: ClientRegistry) -> (SeedService?, URL?) {
        for service in registry.services.sortedValues {
            for text in service.returnURLs {
                guard let url = URL(string: text), let host = url.host(),
                    url.scheme == "http" || LoopbackHost.contains(host)
                else { continue }
                var site = URLComponents()
                (site.scheme, site.host, site.port) = (url.scheme, host, url.port)
                site.path = "/"
                if let url = site.url { return (service, url) }
            }
        }
        return (nil, nil)
    }

    static func key(of client: RegisteredClient, in registry: ClientRegistry) -> SeedKey? {
        registry.keys.sortedValues.first { key in
            key.teamID == client.teamID && key.isPair
                && (key.primaryClientID == nil || key.primaryClientID == client.group)
        }
    }

    private static func uses(of person: Person, in state: EmulatorState) -> [Use] {
        person.consents.compactMap { group, consent in
            guard let client = state.registry.client(group) else { return nil }
            let isHidden = consent.email == .hide
            return Use(
                email: person.account.email,
                name: person.shownName,
                clientID: group.rawValue,
                appName: client.name,
                relayEmail: isHidden ? person.identities[client.teamID]?.relayAddress : nil,
                isForwarded: !person.groupsWithoutForwarding.contains(group),
                senderEmail: state.mail.sources.senderEmail(of: client.teamID),
                usedAt: max(consent.grantedAt, consent.usedAt)
            )
        }
    }
}

extension PeopleDirectory {
    private static let maximumVisitorSearchCount = 100

    fileprivate var firstVisitor: Person? {
        first(Self.maximumVisitorSearchCount).first {
            !$0.account.isManaged && $0.account.hasEmail && !$0.account.isOfCheck
        }
    }
}

extension Person {
    /// The given name, or another known name.
    fileprivate var shownName: String {
        let name = account.givenName ?? name.displayName
        return name.isEmpty ? account.email : name
    }
}

extension MailSourceStore {
    /// An address from which the relay accepts mail of the team.
    fileprivate func senderEmail(of teamID: TeamID) -> String? {
        let source = all.first { $0.teamID == teamID && $0.hasSPF }
        return source.map {
            switch $0.place {
            case .domain(let domain): "hello@\(domain)"
            case .address(let address): address
            }
        }
    }
}

package enum TourOutcome: Hashable, Sendable {
    case signedIn
    /// The sign-in failed, with the error of the response, if it has one, and a description.
    case refused(error: String?, words: String)

    init(_ answer: EmulatorAnswer, reason: String?) {
        guard answer.isDropped || answer.response.status != .ok else {
            self = .signedIn
            return
        }
        let object = try? JSONObject(parsing: answer.body)
        let error = answer.isDropped ? nil : object?["error"]?.stringValue
        let answered =
            answer.isDropped ? "no response" : error ?? "status \(answer.response.status.code)"
        self = .refused(
            error: error,
            words: [answered, reason].compactMap(\.self).joined(separator: ", ")
        )
    }
}

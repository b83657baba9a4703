import AppleIdentity
import Foundation

/// Whom and what the console's tour can use.
package struct TourFacts: Sendable {
    /// A person who signs in.
    package struct Visitor: Sendable {
        package let email: String
        package let name: String
        /// Whether the password is the one that people have when a seed says none.
        package let hasStandardPassword: Bool
    }

    /// A person who uses an app.
    package struct Use: Sendable {
        package let email: String
        package let name: String
        package let clientID: String
        package let appName: String
        /// Where mail to the person is forwarded from; nil when it is not.
        package let relayEmail: String?
        /// An address from which the app's team may write to the relay address.
        package let senderEmail: String?
        fileprivate let usedAt: Date
    }

    /// Whether the emulator is a named world: links to an app would lead to the unnamed one.
    package let isNamedWorld: Bool
    /// Where a Services ID's site is, on this machine or in a container; nil when none is known.
    package let site: URL?
    /// The app that the tour is about; nil when none is registered.
    package let clientID: String?
    /// What people call the app.
    package let appName: String
    /// A key of the app's team whose private half the emulator has.
    package let keyID: String?
    /// The first person who can hide their address; nil when there is none.
    package let visitor: Visitor?
    /// The latest use of an app.
    package let latestUse: Use?
    /// The latest use of an app that got a relay address.
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
        let uses = state.people.all.flatMap { Self.uses(of: $0, in: state) }
        latestUse = uses.max { $0.usedAt < $1.usedAt }
        latestHiddenUse = uses.filter { $0.relayEmail != nil }.max { $0.usedAt < $1.usedAt }
    }

    /// The first Services ID with a site that is not published: its return URL has plain `http`,
    /// or the name of this machine.
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
            let isForwarded =
                consent.email == .hide && !person.groupsWithoutForwarding.contains(group)
            return Use(
                email: person.account.email,
                name: person.shownName,
                clientID: group.rawValue,
                appName: client.name,
                relayEmail: isForwarded ? person.identities[client.teamID]?.relayAddress : nil,
                senderEmail: state.mail.sources.senderEmail(of: client.teamID),
                usedAt: max(consent.grantedAt, consent.usedAt)
            )
        }
    }
}

extension PeopleDirectory {
    /// How many people are looked at.
    private static let maximumVisitorSearchCount = 100

    fileprivate var firstVisitor: Person? {
        page(maximumCount: Self.maximumVisitorSearchCount).first {
            !$0.account.isManaged && $0.account.hasEmail
        }
    }
}

extension Person {
    /// The given name, or what is known instead.
    fileprivate var shownName: String {
        let name = account.givenName ?? name.displayName
        return name.isEmpty ? account.email : name
    }
}

extension MailSourceStore {
    /// An address from which mail of the team passes.
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

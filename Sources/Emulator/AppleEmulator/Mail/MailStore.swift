import AppleIdentity
import Foundation

struct MailStore {
    static let maximumMessageByteCount = 20 * 1024 * 1024
    static let maximumKeptByteCount = 128 * 1024 * 1024
    static let maximumKeptCount = 1_000
    static let maximumDailyCount = 100
    static let maximumAliasCount = 100_000

    var sources = MailSourceStore()
    private(set) var inbox: [InboxMail] = []
    private(set) var sent: [SentMail] = []
    private(set) var bounces: [MailBounce] = []
    /// Changes when a reply is ready for the SMTP server.
    private(set) var revision = 0
    var lastNumber = 0
    private var byteCount = 0
    /// The alias of each sender for each relay address.
    var aliases = BoundedTable<MailAddress>(maximumCount: maximumAliasCount)
    /// The day of the counts, in days since 1970.
    var day = 0
    /// The number of messages that each relay address accepted on the day.
    var dailyCounts: [String: Int] = [:]

    // MARK: Storing

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func add(_ mail: InboxMail) {
        byteCount += mail.content.count
        inbox.append(mail)
        removeOldest()
    }

    mutating func add(_ mail: SentMail) {
        if sent.count >= Self.maximumKeptCount { sent.removeFirst() }
        sent.append(mail)
        if mail.state == .pending { revision += 1 }
    }

    mutating func add(_ bounce: MailBounce) {
        byteCount += bounce.content.count
        bounces.append(bounce)
        removeOldest()
    }

    private mutating func removeOldest() {
        if inbox.count > Self.maximumKeptCount { removeOldestDelivered() }
        if bounces.count > Self.maximumKeptCount { removeOldestRefused() }
        while byteCount > Self.maximumKeptByteCount, inbox.count + bounces.count > 1 {
            let (delivered, refused) = (inbox.first?.number, bounces.first?.number)
            if (delivered ?? .max) < (refused ?? .max) {
                removeOldestDelivered()
            } else {
                removeOldestRefused()
            }
        }
    }

    private mutating func removeOldestDelivered() {
        byteCount -= inbox.removeFirst().content.count
    }

    private mutating func removeOldestRefused() {
        byteCount -= bounces.removeFirst().content.count
    }

    mutating func markRead(_ number: Int) {
        guard let index = inbox.firstIndex(where: { $0.number == number }) else { return }
        inbox[index].isRead = true
    }

    /// Removes mail and bounces, but not sources, aliases and the day's counts.
    mutating func clear() {
        inbox = []
        sent = []
        bounces = []
        byteCount = 0
    }

    // MARK: Replies to send

    mutating func takePending() -> SentMail? {
        guard let index = sent.firstIndex(where: { $0.state == .pending }) else { return nil }
        sent[index].state = .underWay
        return sent[index]
    }

    mutating func record(_ state: SentMail.State, of number: Int) {
        // After an import, results for mail of the previous state do not apply.
        let index = sent.firstIndex { $0.number == number && $0.state == .underWay }
        guard let index else { return }
        sent[index].state = state
    }

    // MARK: The relay

    /// The address that a person sees for a sender, the same each time.
    mutating func alias(
        of sender: MailAddress,
        for relay: MailAddress,
        identifierKey: Data?
    ) -> MailAddress {
        let key = relay.key + "|" + sender.key
        if let known = aliases[key] { return known }
        var generator = IdentifierGenerator(key: identifierKey, label: "alias|" + key)
        let alias = Self.alias(of: sender, mark: RandomText.relayName(&generator)) ?? relay
        aliases.insert(alias, for: key)
        return alias
    }

    /// The sender's address in characters that every server accepts, with a random mark.
    private static func alias(of sender: MailAddress, mark: String) -> MailAddress? {
        let letters = (sender.localPart + "_at_" + sender.domain).lowercased().map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
        }
        let name = String(letters).prefix(
            MailAddress.maximumLocalPartByteCount - mark.utf8.count - 1
        )
        return MailAddress("\(name)_\(mark)@\(TeamIdentity.relayDomain)")
    }

    func isFull(_ relay: MailAddress, at time: Date) -> Bool {
        Self.day(of: time) == day && dailyCounts[relay.key, default: 0] >= Self.maximumDailyCount
    }

    mutating func count(_ relay: MailAddress, at time: Date) {
        let today = Self.day(of: time)
        if today != day {
            day = today
            dailyCounts = [:]
        }
        dailyCounts[relay.key, default: 0] += 1
    }

    private static func day(of time: Date) -> Int {
        Int((time.timeIntervalSince1970 / 86_400).rounded(.down))
    }
}

struct MailSourceStore {
    static let maximumCount = 100
    static let maximumIndividualCount = 32

    private var sources: [TeamID: [SeedMailSource]] = [:]

    var all: [SeedMailSource] {
        sources.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap(\.value)
    }

    mutating func add(
        _ source: SeedMailSource,
        teams: [TeamID: SeedTeam]
    ) throws(ControlRefusal) -> AddOutcome {
        guard let team = teams[source.teamID] else {
            throw .wrong("team_id", "is not a registered team")
        }
        let known = sources[source.teamID, default: []]
        if let same = known.first(where: { $0.place == source.place }) {
            guard same == source else {
                throw .conflict(
                    source.place.fieldName,
                    "\(source.place.text) already exists with another authentication"
                )
            }
            return AddOutcome(object: same.object, isNew: false)
        }
        let maximumCount = team.isIndividual ? Self.maximumIndividualCount : Self.maximumCount
        guard known.count < maximumCount else {
            throw .conflict(
                source.place.fieldName,
                "exceeds the limit of \(maximumCount) sources for a team"
            )
        }
        sources[source.teamID, default: []].append(source)
        return AddOutcome(object: source.object, isNew: true)
    }

    /// Removes the sources with a domain or address, or all; of a team, or of every team.
    mutating func remove(_ place: String?, teamID: TeamID?) -> Bool {
        let before = all.count
        for team in sources.keys where teamID == nil || team == teamID {
            sources[team]?.removeAll { place == nil || $0.place.text == place?.lowercased() }
        }
        return all.count < before
    }

    /// The team's source of an address; one for exactly that address comes first.
    func source(of address: MailAddress?, teamID: TeamID) -> SeedMailSource? {
        guard let address else { return nil }
        let known = sources[teamID, default: []]
        return known.first { $0.place == .address(address.key) }
            ?? known.first { $0.place == .domain(address.domain.lowercased()) }
    }
}

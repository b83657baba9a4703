/// The clients that wait until a password is hashed: networks take turns, and so do accounts.
///
/// The next turn is of the client whose wider network, network and account had their latest one the longest ago, so a
/// second request waits behind the first one of every other client.
struct PasswordQueue {
    /// The maximum number of waiting clients, and of remembered turns.
    static let maximumCount = 128

    /// The sender of a password.
    struct Client: Hashable, Sendable {
        /// The username, or the device known to it.
        let account: String
        /// The network, as attempts are counted.
        let network: String
        /// The wider network that contains it.
        let widerNetwork: String

        /// What takes turns; the wider comes first.
        fileprivate var groups: [Group] {
            [.widerNetwork(widerNetwork), .network(network), .account(account)]
        }
    }

    fileprivate enum Group: Hashable {
        case account(String)
        case network(String)
        case widerNetwork(String)
    }

    /// A place in the queue.
    struct Place: Sendable {
        let number: Int
        let client: Client
        /// Gets `false` when the place is lost.
        let waiting: CheckedContinuation<Bool, Never>
    }

    /// The places in the order of arrival.
    private(set) var places: [Place] = []
    private var turnCount = 0
    /// The number of the latest turn of each group.
    private var turns: [Group: Int] = [:]

    /// Adds a place, and returns the one that a full queue loses: the latest of the client whose groups have the most
    /// places.
    mutating func add(_ place: Place) -> Place? {
        places.append(place)
        guard places.count > Self.maximumCount else { return nil }
        let groups = places.flatMap(\.client.groups)
            .reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let counts = places.map { place in
            place.client.groups.reduce(0) { $0 + groups[$1, default: 0] }
        }
        let last = counts.indices.max { (counts[$0], $0) < (counts[$1], $1) }
        return last.map { places.remove(at: $0) }
    }

    /// Removes a place whose client no longer waits; nil when it has had its turn.
    mutating func remove(_ number: Int) -> Place? {
        places.firstIndex { $0.number == number }.map { places.remove(at: $0) }
    }

    /// Removes the place that is next.
    mutating func next() -> Place? {
        let next = places.indices.min { precedence(of: $0) < precedence(of: $1) }
        let place = next.map { places.remove(at: $0) }
        if let place { begin(place.client) }
        return place
    }

    /// Remembers the turn of a client.
    mutating func begin(_ client: Client) {
        turnCount += 1
        for group in client.groups { turns[group] = turnCount }
        // A client that comes back much later counts as a new one.
        let oldest = turnCount - Self.maximumCount
        turns = turns.filter { $0.value > oldest }
    }

    /// The least comes first; the networks of a wider one share its turns, and the accounts of a network those.
    private func precedence(of index: Int) -> (Int, Int, Int, Int) {
        let latest = places[index].client.groups.map { turns[$0, default: 0] }
        let network = max(latest[1], latest[2])
        return (max(latest[0], network), network, latest[2], index)
    }
}

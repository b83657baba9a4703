/// The clients that wait until a password is hashed: networks take turns, and so do accounts.
///
/// The next turn is of the network and the account whose latest one was the longest ago, so a second request waits
/// behind the first one of every other client.
struct PasswordQueue {
    /// The maximum number of waiting clients, and of remembered turns.
    static let maximumCount = 128

    /// The sender of a password.
    struct Client: Hashable, Sendable {
        /// The username, or the device known to it.
        let account: String
        /// The network, as attempts are counted.
        let network: String
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
    /// The number of the latest turn of each account and network.
    private var accounts: [String: Int] = [:]
    private var networks: [String: Int] = [:]

    /// Adds a place, and returns the one that a full queue loses: the latest of the client with the most places.
    mutating func add(_ place: Place) -> Place? {
        places.append(place)
        guard places.count > Self.maximumCount else { return nil }
        let accounts = places.reduce(into: [:]) { $0[$1.client.account, default: 0] += 1 }
        let networks = places.reduce(into: [:]) { $0[$1.client.network, default: 0] += 1 }
        let counts = places.map { place in
            accounts[place.client.account, default: 0] + networks[place.client.network, default: 0]
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
        accounts[client.account] = turnCount
        networks[client.network] = turnCount
        // A client that comes back much later counts as a new one.
        let oldest = turnCount - Self.maximumCount
        accounts = accounts.filter { $0.value > oldest }
        networks = networks.filter { $0.value > oldest }
    }

    /// The least comes first; the accounts of one network take turns in those of the network.
    private func precedence(of index: Int) -> (Int, Int, Int) {
        let client = places[index].client
        let account = accounts[client.account, default: 0]
        return (max(account, networks[client.network, default: 0]), account, index)
    }
}

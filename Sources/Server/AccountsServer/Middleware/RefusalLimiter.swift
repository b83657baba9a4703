import AppleIdentity
import Synchronization

/// Limits floods of bad requests: a network that is refused too often must wait.
///
/// A request begins only while its network has refusals left. The requests that have not ended are limited apart: each
/// may still be refused, so parallel requests cannot exceed both limits together, and many users who sign in at once do
/// not wait. The store counts guesses at passwords and codes.
final class RefusalLimiter: Sendable {
    /// The number of refusals that a network may get at once.
    static let burst = 60
    /// The number of refusals per second that a network may get without a limit in time.
    static let perSecond = 10.0
    /// The number of requests of a network that are handled at once; more than passwords may wait.
    static let maximumUnfinishedCount = 160

    private let refusals: TokenBuckets
    /// The number of unfinished requests of each network that has any.
    private let unfinished = Mutex<[ClientNetwork: Int]>([:])

    init(time: TimeSource) {
        refusals = TokenBuckets(burst: Self.burst, perSecond: Self.perSecond, time: time)
    }

    /// Begins a request; returns the whole seconds to wait if the network has used up a limit.
    func begin(_ network: ClientNetwork) -> Int? {
        if let seconds = refusals.wait(network, clientCount: network.clientCount) { return seconds }
        return unfinished.withLock { unfinished in
            let count = unfinished[network, default: 0]
            guard count < Self.maximumUnfinishedCount * network.clientCount else { return 1 }
            unfinished[network] = count + 1
            return nil
        }
    }

    /// Ends a request that began.
    func end(_ network: ClientNetwork, isRefused: Bool) {
        unfinished.withLock { unfinished in
            let count = unfinished[network, default: 1] - 1
            unfinished[network] = count == 0 ? nil : count
        }
        if isRefused { refusals.add(1, to: network, clientCount: network.clientCount) }
    }

    /// Counts a refusal before a request asks Apple, so not even parallel requests exceed the limit; returns the whole
    /// seconds to wait if none is left.
    func reserve(_ network: ClientNetwork) -> Int? {
        refusals.spend(network, clientCount: network.clientCount)
    }

    /// Gives back the reservation of a request that Apple did not refuse.
    func giveBack(_ network: ClientNetwork) {
        refusals.add(-1, to: network, clientCount: network.clientCount)
    }
}

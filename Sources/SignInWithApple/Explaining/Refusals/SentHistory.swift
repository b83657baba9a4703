import AppleIdentity
import Crypto
import Foundation
import Synchronization

/// Remembers which codes were sent, by their hashes, and for which clients Apple granted anything.
///
/// It decides nothing: a second use is Apple's to refuse, and is only explained by it.
final class SentHistory: Sendable {
    /// How many codes are remembered, the newest: enough for thirteen sign-ins a second over the
    /// five minutes in which a code is good.
    static let codeCountMax = 4096

    private struct State {
        var times: [SHA256Digest: Date] = [:]
        /// The hashes by age, a ring once it is full.
        var order: [SHA256Digest] = []
        var oldest = 0
        /// At most one entry for each configured client: no other has a secret to send.
        var acceptedClients: Set<ClientID> = []
    }

    private let state = Mutex(State())

    /// Notes a code that is about to be sent.
    ///
    /// - Returns: when it was sent first; nil when it was not.
    func noteCode(_ code: String, at now: Date) -> Date? {
        let hash = SHA256.hash(data: Data(code.utf8))
        return state.withLock { state in
            if let earlier = state.times[hash] { return earlier }
            state.times[hash] = now
            if state.order.count < Self.codeCountMax {
                state.order.append(hash)
            } else {
                state.times[state.order[state.oldest]] = nil
                state.order[state.oldest] = hash
                state.oldest = (state.oldest + 1) % Self.codeCountMax
            }
            return nil
        }
    }

    func noteAccepted(_ clientID: ClientID) {
        _ = state.withLock { $0.acceptedClients.insert(clientID) }
    }

    var acceptedClients: Set<ClientID> { state.withLock { $0.acceptedClients } }
}

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
    static let maximumCodeCount = 4096

    /// An earlier sending of the same code.
    struct Sending: Equatable, Sendable {
        let time: Date
        /// Whether Apple's answer never came, so that it may have granted what nobody received.
        var isUnanswered = false
    }

    private struct State {
        var sendings: [SHA256Digest: Sending] = [:]
        /// The hashes by age, a ring once it is full.
        var order: [SHA256Digest] = []
        var oldest = 0
        /// At most one entry for each configured client: no other has a secret to send.
        var acceptedClients: Set<ClientID> = []
        var migratedClients: Set<ClientID> = []
    }

    private let state = Mutex(State())

    /// Notes a code that is about to be sent.
    ///
    /// - Returns: its first sending; nil when there was none.
    func noteCode(_ code: String, at now: Date) -> Sending? {
        let hash = Self.hash(code)
        return state.withLock { state in
            if let earlier = state.sendings[hash] { return earlier }
            state.sendings[hash] = Sending(time: now)
            if state.order.count < Self.maximumCodeCount {
                state.order.append(hash)
            } else {
                state.sendings[state.order[state.oldest]] = nil
                state.order[state.oldest] = hash
                state.oldest = (state.oldest + 1) % Self.maximumCodeCount
            }
            return nil
        }
    }

    /// Notes that no answer came to a code that was sent.
    func noteUnanswered(_ code: String) {
        state.withLock { $0.sendings[Self.hash(code)]?.isUnanswered = true }
    }

    private static func hash(_ code: String) -> SHA256Digest {
        SHA256.hash(data: Data(code.utf8))
    }

    func noteAccepted(_ clientID: ClientID) {
        _ = state.withLock { $0.acceptedClients.insert(clientID) }
    }

    /// Notes that Apple told of a person who goes to another team.
    func noteMigrated(_ clientID: ClientID) {
        _ = state.withLock { $0.migratedClients.insert(clientID) }
    }

    var migratedClients: Set<ClientID> { state.withLock { $0.migratedClients } }

    var acceptedClients: Set<ClientID> { state.withLock { $0.acceptedClients } }
}

import AppleIdentity
import Crypto
import Foundation
import Synchronization

/// Remembers which codes were sent, by their hashes, and for which clients Apple granted anything.
///
/// It decides nothing: a second use is Apple's to refuse, and is only explained by it.
final class SentHistory: Sendable {
    /// How many codes are remembered at least, and half of how many at most.
    ///
    /// It is enough for thirteen sign-ins a second over the five minutes in which a code is good.
    static let minimumCodeCount = 4096

    /// An earlier sending of the same code.
    struct Sending: Equatable, Sendable {
        let time: Date
        /// Whether Apple's answer never came, so that it may have granted what nobody received.
        var isUnanswered = false
    }

    private struct State {
        var sendings: [SHA256Digest: Sending] = [:]
        /// The sendings before those, forgotten when there are enough newer ones.
        var olderSendings: [SHA256Digest: Sending] = [:]
        /// At most one entry for each configured client: no other has a secret to send.
        var acceptedClients: Set<ClientID> = []
        var migratedClients: Set<ClientID> = []
    }

    private let state = Mutex(State())

    /// Notes a code that is about to be sent, and returns its first sending if there was one.
    func noteCode(_ code: String, at now: Date) -> Sending? {
        let hash = Self.hash(code)
        return state.withLock { state in
            if let earlier = state.sendings[hash] ?? state.olderSendings[hash] { return earlier }
            if state.sendings.count == Self.minimumCodeCount {
                state.olderSendings = state.sendings
                state.sendings = [:]
            }
            state.sendings[hash] = Sending(time: now)
            return nil
        }
    }

    func noteUnanswered(_ code: String) {
        let hash = Self.hash(code)
        state.withLock { state in
            state.sendings[hash]?.isUnanswered = true
            state.olderSendings[hash]?.isUnanswered = true
        }
    }

    private static func hash(_ code: String) -> SHA256Digest { SHA256.hash(data: Data(code.utf8)) }

    func noteAccepted(_ clientID: ClientID) {
        _ = state.withLock { $0.acceptedClients.insert(clientID) }
    }

    func noteMigrated(_ clientID: ClientID) {
        _ = state.withLock { $0.migratedClients.insert(clientID) }
    }

    var migratedClients: Set<ClientID> { state.withLock { $0.migratedClients } }
    var acceptedClients: Set<ClientID> { state.withLock { $0.acceptedClients } }
}

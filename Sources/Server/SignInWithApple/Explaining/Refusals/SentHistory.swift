import AppleIdentity
import Crypto
import Foundation

/// The codes that were sent, as hashes, and the clients that Apple accepted.
///
/// It decides nothing: Apple rejects a second use, which this only explains.
final class SentHistory: Sendable {
    /// The minimum number of stored codes, which is half of the maximum.
    ///
    /// It is enough for thirteen sign-ins a second over the five minutes for which a code is valid.
    static let minimumCodeCount = 4096

    /// An earlier request with the same code.
    struct Sending: Equatable, Sendable {
        let time: Date
        /// Whether Apple's response never arrived: Apple may have accepted the code.
        var isUnanswered = false
    }

    private struct State {
        var sendings: [SHA256Digest: Sending] = [:]
        /// The requests before those, deleted when there are enough newer ones.
        var olderSendings: [SHA256Digest: Sending] = [:]
        /// At most one entry for each configured client: no other has a secret to send.
        var acceptedClients: Set<ClientID> = []
        var migratedClients: Set<ClientID> = []
    }

    private let state = LockedValue(State())

    /// Records a code that is about to be sent, and returns its first request if there was one.
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

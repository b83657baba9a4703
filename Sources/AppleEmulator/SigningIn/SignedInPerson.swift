import Foundation

/// A person who showed in a browser who they are.
struct SignedInPerson: Hashable {
    var personID: PersonID
    var authenticatedAt: Date

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(authenticatedAt) >= BrowserSession.lifetimeSeconds
    }
}

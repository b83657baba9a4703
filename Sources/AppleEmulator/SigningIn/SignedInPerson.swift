import Foundation

/// A person who showed in a browser who they are.
struct SignedInPerson: Hashable {
    let personID: PersonID
    let authenticatedAt: Date

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(authenticatedAt) >= BrowserSession.lifetimeSeconds
    }
}

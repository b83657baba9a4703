import Accounts
import Foundation

/// What the account page shows.
struct AccountPage {
    let visitor: SignedInSession
    let sessions: [Session]
    let isSaved: Bool
    let refusedName: (text: String, error: ServerError)?
    let now: Date

    var values: [String: Any?] {
        let account = visitor.account
        return [
            "greeting": account.name.map { "Hello, \($0)" } ?? "Hello",
            "name": refusedName?.text ?? account.name ?? "",
            "nameError": refusedName?.error.message,
            "nameErrorCode": refusedName?.error.code,
            "asksName": account.name == nil && refusedName == nil,
            "isSaved": isSaved,
            "email": account.email?.text,
            "emailIsPrivateRelay": account.email?.isPrivateRelay ?? false,
            "emailIsUnverified": account.email?.isVerified == false,
            "emailIsUndeliverable": account.email?.isVerified == true && !account.emailDeliverable,
            "hasApple": account.apple != nil,
            "appleSince": account.apple.map { PageTime.day($0.linkedAt) },
            "appleRevoked": account.apple?.revokedAt.map { PageTime.day($0) },
            "since": PageTime.day(account.createdAt),
            "sessions": sessions.map(session),
            "hasOtherSessions": sessions.contains { $0.id != visitor.session.id },
        ]
    }

    private func session(_ session: Session) -> [String: Any] {
        let isCurrent = session.id == visitor.session.id
        return [
            "id": session.id.rawValue,
            "device": session.device.isEmpty ? "Unknown device" : session.device,
            "isCurrent": isCurrent,
            "lastUsed": isCurrent ? "Active now" : PageTime.ago(session.lastUsedAt, now: now),
            "lastUsedTime": session.lastUsedAt.formatted(.iso8601),
            "signedIn": PageTime.day(session.signedInAt),
        ]
    }
}

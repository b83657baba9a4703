import Accounts
import Foundation
import HTTPTypes

/// The account page.
struct AccountPage: Page {
    static let template = PageTemplate.account

    let visitor: SignedInSession
    let sessions: [Session]
    var isSaved = false
    var refusedName: (text: String, error: ServerError)?
    let now: Date

    var status: HTTPResponse.Status { refusedName?.error.status ?? .ok }

    func title(_ text: PageText) -> String {
        let title = text["accountTitle"]
        return refusedName == nil ? title : text.text("titleOfError", ["title": title])
    }

    func values(_ text: PageText) -> [String: Any?] {
        let account = visitor.account
        return [
            "greeting": account.name.map { text.text("helloName", ["name": $0]) }
                ?? text["hello"],
            "since": text.text("accountSince", ["day": text.day(account.createdAt)]),
            "name": refusedName?.text ?? account.name ?? "",
            "nameError": (refusedName?.error).map(text.sentence),
            "nameErrorCode": refusedName?.error.code,
            "asksName": account.name == nil && refusedName == nil,
            "isSaved": isSaved,
            "email": account.email?.text,
            "emailIsPrivateRelay": account.email?.isPrivateRelay ?? false,
            "emailIsUnverified": account.email?.isVerified == false,
            "emailIsUndeliverable": account.email?.isVerified == true && !account.emailDeliverable,
            "hasApple": account.apple != nil,
            "appleSince": account.apple.map {
                text.text("linkedSince", ["day": text.day($0.linkedAt)])
            },
            "appleRevoked": account.apple?.revokedAt.map {
                text.text("stoppedAtApple", ["day": text.day($0)])
            },
            "sessions": sessions.map { session($0, text) },
            "hasOtherSessions": sessions.contains { $0.id != visitor.session.id },
        ]
    }

    private func session(_ session: Session, _ text: PageText) -> [String: Any] {
        let isCurrent = session.id == visitor.session.id
        let device = DeviceDescription.text(of: session.device, in: text)
        return [
            "id": session.id.rawValue,
            "device": device,
            "isCurrent": isCurrent,
            "lastUsed": isCurrent ? text["activeNow"] : text.ago(session.lastUsedAt, now: now),
            "lastUsedTime": session.lastUsedAt.formatted(.iso8601),
            "signedIn": text.text("signedInAt", ["day": text.day(session.signedInAt)]),
            "endLabel": text.text("endSession", ["device": device]),
        ]
    }
}

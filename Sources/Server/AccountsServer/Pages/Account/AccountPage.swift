import Accounts
import Foundation

/// The account page: the profile, the sign-in methods, the sessions, and the user's data.
struct AccountPage: Page {
    static let template = PageTemplate.account

    /// A part of the page with a form that opens on request.
    enum Part: String {
        case email, password

        /// The page with this part's form open.
        var path: String { "\(WebPath.account)?\(Self.parameter)=\(rawValue)#\(rawValue)" }

        static let parameter = "change"
    }

    struct Refusal {
        /// Nil for the name, whose form is always open.
        let part: Part?
        let error: ServerError
        let posted: PostedForm
    }

    let visitor: SignedInSession
    let sessions: [Session]
    let offer: SignInOffer
    /// Whether the sign-in is recent enough for the actions that require it.
    let isRecent: Bool
    let now: Date
    var notice: Notice?
    var isSaved = false
    var openPart: Part?
    var refused: Refusal?

    var account: Account { visitor.account }

    var refusal: ServerError? { refused?.error }

    var titleWord: String { "accountTitle" }

    var script: String? { PageScript.account }

    func values(_ text: PageText) -> [String: Any?] {
        let parts = [profile(text), email(text), password(text), apple(text), sessionList(text)]
        let common: [String: Any?] = [
            "notice": notice.map { text["notice.\($0.rawValue)"] },
            "greeting": account.name.map { text.text("helloName", ["name": $0.text]) }
                ?? text["hello"],
            "deleteLead": text[account.apple == nil ? "deleteLeadUnlinked" : "deleteLead"],
            "since": text.text("accountSince", ["day": text.day(account.createdAt)]),
        ]
        return parts.reduce(common) { values, part in values.merging(part) { own, _ in own } }
    }

    private func profile(_ text: PageText) -> [String: Any?] {
        let refusedName = refused.flatMap { $0.part == nil ? $0 : nil }
        return [
            "name": refusedName.map { $0.posted["name"] ?? "" } ?? account.name?.text ?? "",
            "nameError": (refusedName?.error).map(text.sentence),
            "nameErrorCode": refusedName?.error.code,
            "asksName": account.name == nil && refusedName == nil && !isSaved,
            "saved": isSaved ? text[account.name == nil ? "nameRemoved" : "saved"] : nil,
        ]
    }

    private func sessionList(_ text: PageText) -> [String: Any?] {
        [
            "sessions": sessions.map { session($0, text) },
            "hasOtherSessions": sessions.contains { $0.id != visitor.session.id },
        ]
    }

    private func session(_ session: Session, _ text: PageText) -> [String: Any] {
        let signedIn = text.parts(signedInWord(session.signInMethod), around: "time")
        let isCurrent = session.id == visitor.session.id
        let device = DeviceDescription.text(of: session.device, in: text)
        return [
            "id": session.id.rawValue,
            "device": device,
            "isCurrent": isCurrent,
            "lastUsed": isCurrent ? text["activeNow"] : text.ago(session.lastUsedAt, now: now),
            "lastUsedTime": session.lastUsedAt.formatted(.iso8601),
            "signedInBefore": signedIn.before,
            "signedInAt": text.language.moment(session.signedInAt),
            "signedInTime": session.signedInAt.formatted(.iso8601),
            "signedInAfter": signedIn.after,
            "endLabel": text.text("endSession", ["device": device]),
        ]
    }

    private func signedInWord(_ method: SignInMethod) -> String {
        switch method {
        case .apple: "signedInWithApple"
        case .password: "signedInWithPassword"
        default: "signedInAt"
        }
    }

    /// Returns the page with a part's form, at once or after a recent sign-in.
    func path(of part: Part, isOpen: Bool) -> String {
        isOpen ? part.path : WebPath.confirmation(returningTo: part.path)
    }

    /// Returns a part's form when the user opened it or when it was refused.
    func form(_ part: Part, _ form: @autoclosure () -> PageForm) -> PageForm? {
        if let refused, refused.part == part {
            return opened(form()).refused((refused.error, refused.posted))
        }
        return refused == nil && openPart == part ? opened(form()) : nil
    }

    private func opened(_ form: PageForm) -> PageForm {
        var form = form
        form.cancelPath = WebPath.account
        return form
    }
}

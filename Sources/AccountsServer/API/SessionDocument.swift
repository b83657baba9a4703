import Accounts
import AppleIdentity

/// A session as the interface for programs writes it.
enum SessionDocument {
    static func of(_ session: Session, current: Session) -> JSONObject {
        [
            "id": .string(session.id.rawValue),
            "device": .string(session.device),
            "current": .boolean(session.id == current.id),
            "createdAt": .time(session.createdAt),
            "signedInAt": .time(session.signedInAt),
            "lastUsedAt": .time(session.lastUsedAt),
            "expiresAt": .time(session.expiresAt),
        ]
    }

    /// What a sign-in answers: the only time that the token is told.
    static func of(_ receipt: SignInReceipt) -> JSONObject {
        [
            "token": .string(receipt.token.text),
            "expiresAt": .time(receipt.session.expiresAt),
            "account": .object(AccountDocument.of(receipt.account)),
        ]
    }
}

import Accounts
import AppleIdentity
import GRDB

extension Database {
    /// Carries out what a rule decided about codes of apps; nothing else comes here.
    func applyToAppCodes(_ write: StoreWrite) throws {
        switch write {
        case .putAppCode(let code):
            try run(
                """
                INSERT OR IGNORE INTO app_codes (\(AppCodeRow.columns))
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    code.hash.bytes, code.account.rawValue, code.session.rawValue,
                    code.binding.clientID.rawValue, code.binding.redirectURI,
                    code.binding.challenge, code.expiresAt.microseconds,
                ]
            )
        case .removeAppCode(let hash):
            try run("DELETE FROM app_codes WHERE hash = ?", [hash.bytes])
        case .removeAppCodes(let account):
            try run("DELETE FROM app_codes WHERE account_id = ?", [account.rawValue])
        default: break
        }
    }
}

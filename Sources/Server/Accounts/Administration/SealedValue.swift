import SignInWithApple

/// A sealed (encrypted) secret of a store and its position.
package enum SealedValue: Hashable, Sendable {
    case refreshToken(RefreshToken, of: AccountID)
    /// The task of an outbox entry.
    case entry(OutboxID, OutboxTask)
    /// An outbox entry that this program cannot read.
    case unreadableEntry(OutboxID)
    case tokenKey(TokenKey)

    /// The value's position.
    package var position: ResealingPosition {
        switch self {
        case .refreshToken(let token, let account): .refreshToken(account, token.clientID)
        case .entry(let id, _), .unreadableEntry(let id): .entry(id)
        case .tokenKey(let key): .tokenKey(key.id)
        }
    }

    /// The encrypted text and its context; nil for an unreadable entry.
    private var sealed: (text: String, context: SealingContext)? {
        switch self {
        case .refreshToken(let token, _), .entry(_, .revocation(let token)):
            (token.sealedToken, .refreshToken(token.id, clientID: token.clientID))
        case .entry(let id, .mail(let mail)): (mail.sealedOrder, .mail(id))
        case .tokenKey(let key): (key.sealedKey, .tokenKey(key.id))
        case .unreadableEntry: nil
        }
    }

    /// The name of the key that encrypted the value; nil for an unreadable entry.
    var keyID: String? {
        guard let text = sealed?.text else { return nil }
        // Without a dot, the text is not encrypted, and part of it could be a secret.
        guard let dot = text.firstIndex(of: ".") else { return "unknown" }
        return String(text[..<dot].prefix(TokenSealer.maximumKeyIDCharacterCount))
    }

    /// The write of the value encrypted with the first key; nil when it already is.
    func resealing(by sealer: TokenSealer) throws(SealingError) -> StoreWrite? {
        guard let sealed else { throw SealingError(.textInvalid, "the entry cannot be read") }
        return try sealer.reseal(sealed.text, for: sealed.context).flatMap(replacement)
    }

    private func replacement(_ text: String) -> StoreWrite? {
        switch self {
        case .refreshToken(var token, let account):
            token.sealedToken = text
            return .replaceSealedToken(token, of: account)
        case .entry(let id, .revocation(var token)):
            token.sealedToken = text
            return .replaceTask(of: id, .revocation(token))
        case .entry(let id, .mail(var mail)):
            mail.sealedOrder = text
            return .replaceTask(of: id, .mail(mail))
        case .tokenKey(var key):
            key.sealedKey = text
            return .putTokenKey(key)
        case .unreadableEntry: return nil
        }
    }

    var removal: StoreWrite {
        switch self {
        case .refreshToken(let token, let account): .removeRefreshToken(of: account, token.clientID)
        case .entry(let id, _), .unreadableEntry(let id): .removeEntries([id])
        case .tokenKey(let key): .removeTokenKey(key.id)
        }
    }
}

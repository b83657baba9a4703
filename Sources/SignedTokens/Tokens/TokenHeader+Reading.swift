import Foundation

extension TokenHeader {
    /// Reads a header from the first part of a token.
    init(encoded part: UnsafeBufferPointer<UInt8>) throws(SignedTokenError) {
        let header = Base64URL.withDecoded(part) { json in
            TokenHeader(plain: json)
                ?? (try? StrictJSON.decode(TokenHeader.self, from: Data(json)))
        }
        switch header {
        case .some(.some(let header)): self = header
        case .some(.none):
            throw .malformed(reason: "its header is not a JSON object with an \"alg\"")
        case .none: throw .notBase64URL("header")
        }
    }

    /// Reads a header of the plainest form; nil when only a general decoder can judge it.
    init?(plain json: UnsafeBufferPointer<UInt8>) {
        var members = FlatJSON(json)
        var algorithm: String?
        var keyID: String?
        var type: String?
        reading: while true {
            switch members.next() {
            case .end: break reading
            case .unusual: return nil
            case .member(let name, let value):
                let isRead =
                    if name.isSame(as: "alg") {
                        Self.fill(&algorithm, with: value)
                    } else if name.isSame(as: "kid") {
                        Self.fill(&keyID, with: value)
                    } else if name.isSame(as: "typ") {
                        Self.fill(&type, with: value)
                    } else {
                        // The two extensions are rare enough to be judged in one place only.
                        !name.isSame(as: "crit") && !name.isSame(as: "b64")
                    }
                guard isRead else { return nil }
            }
        }
        guard let algorithm else { return nil }
        self.algorithm = algorithm
        self.keyID = keyID
        self.type = type
        criticalExtensions = nil
        isPayloadEncoded = nil
    }

    /// False for a member that is there twice or is no text.
    private static func fill(_ member: inout String?, with value: FlatJSON.Value) -> Bool {
        guard member == nil, case .text(let text) = value else { return false }
        member = String(decoding: text, as: UTF8.self)
        return true
    }
}

extension SignedTokenError {
    static func notBase64URL(_ part: String) -> SignedTokenError {
        .malformed(reason: "its \(part) is not base64url without padding")
    }
}

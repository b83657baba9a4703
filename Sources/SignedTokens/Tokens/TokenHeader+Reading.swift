import AppleIdentity
import Foundation

extension TokenHeader {
    /// The longest header that a general decoder reads, in bytes, since nobody has signed for the
    /// work yet; Apple's have 40.
    static let maximumByteCount = 4 * 1024

    /// Reads a header from the first part of a token.
    init(encoded part: UnsafeBufferPointer<UInt8>) throws(SignedTokenError) {
        typealias Reading = Result<TokenHeader, SignedTokenError>
        let reading = Base64URL.withDecoded(part) { json -> Reading in
            if let header = TokenHeader(plain: json) { return .success(header) }
            return Reading { () throws(SignedTokenError) in try TokenHeader(general: Data(json)) }
        }
        guard let reading else { throw .notBase64URL("header") }
        self = try reading.get()
    }

    /// Reads a header of any form.
    private init(general json: Data) throws(SignedTokenError) {
        guard json.count <= Self.maximumByteCount else {
            throw .malformed(reason: "its header is longer than \(Self.maximumByteCount) bytes")
        }
        guard let header = try? StrictJSON.decode(TokenHeader.self, from: json) else {
            throw .malformed(reason: "its header is not a JSON object with an \"alg\"")
        }
        // RFC 7515, section 4: the names of parameters must be unique.
        // https://www.rfc-editor.org/rfc/rfc7515#section-4
        do {
            try JSONMemberCheck.check(json)
        } catch {
            throw .malformed(reason: "its header has a member twice, or nests too deeply")
        }
        self = header
    }

    /// Reads a header of the plainest form; nil when only a general decoder can judge it.
    init?(plain json: UnsafeBufferPointer<UInt8>) {
        var members = FlatJSON(json)
        var algorithm: String?
        var keyID: String?
        var type: String?
        var unknownNames = UnknownNames()
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
                            && unknownNames.insert(name)
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

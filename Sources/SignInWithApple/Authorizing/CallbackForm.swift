import AppleIdentity
import Foundation
import SignedTokens

/// The fields of a posted form, each at most once and within its limit.
struct CallbackForm {
    /// The longest form read, in bytes.
    static let maximumByteCount = 64 * 1024
    /// The most fields read; Apple sends at most four.
    static let maximumFieldCount = 16

    /// The fields that mean something; Apple may add others, which are left alone.
    enum Field: String {
        case code
        case identityToken = "id_token"
        case state
        case user
        case error

        /// The longest value accepted, in bytes; Apple's codes have 64.
        ///
        /// A name of 200 characters can be 6400 bytes of emoji, and three times that when Apple
        /// escapes them in the JSON of `user`.
        var maximumByteCount: Int {
            switch self {
            case .code: 1024
            case .identityToken: UnverifiedToken.maximumByteCount
            case .state: 2048
            case .user: 32 * 1024
            case .error: 128
            }
        }
    }

    private let values: [String: String]

    init(_ body: Data) throws(SignInError) {
        guard body.count <= Self.maximumByteCount else {
            throw .malformedCallback("it is longer than \(Self.maximumByteCount) bytes")
        }
        guard let fields = FormCoding.decode(body) else {
            throw .malformedCallback("it is not application/x-www-form-urlencoded in UTF-8")
        }
        guard fields.count <= Self.maximumFieldCount else {
            throw .malformedCallback("it has more than \(Self.maximumFieldCount) fields")
        }
        var values: [String: String] = [:]
        for (name, value) in fields {
            guard values.updateValue(value, forKey: name) == nil else {
                // RFC 6749, section 3.1: parameters must not be included more than once.
                // https://www.rfc-editor.org/rfc/rfc6749#section-3.1
                throw .malformedCallback("it has the field \(Excerpt.quoting(name)) twice")
            }
        }
        self.values = values
    }

    /// The value of a field; an empty one counts as missing.
    func value(_ field: Field) throws(SignInError) -> String? {
        guard let value = values[field.rawValue], !value.isEmpty else { return nil }
        guard value.utf8.count <= field.maximumByteCount else {
            throw .malformedCallback(
                "its field \(field.rawValue) is longer than \(field.maximumByteCount) bytes"
            )
        }
        return value
    }

    func user() throws(SignInError) -> AuthorizationUser? {
        guard let text = try value(.user) else { return nil }
        guard let user = try? AuthorizationUser(parsing: text) else {
            throw .malformedCallback("its field user is not the JSON object that Apple documents")
        }
        return user
    }
}

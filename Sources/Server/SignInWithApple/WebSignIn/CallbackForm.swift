import AppleIdentity
import Foundation
import SignedTokens

/// The fields of a posted form, each at most once and within its limit.
package struct CallbackForm {
    /// The maximum size of a form, in bytes, with room for a name that is rejected as too long.
    package static let maximumByteCount = 192 * 1024
    /// The maximum number of fields; Apple sends at most four.
    static let maximumFieldCount = 16

    /// The fields that are used; Apple may add others, which are ignored.
    package enum Field: String, CaseIterable {
        case code
        case identityToken = "id_token"
        case state
        case user
        case error

        /// The maximum size of the value, in bytes; Apple's codes have 64.
        ///
        /// A name of 200 characters can be 6400 bytes of emoji, and three times that if Apple
        /// escapes them in the JSON of `user`. A longer one gets its own error.
        package var maximumByteCount: Int {
            switch self {
            case .code: 1024
            case .identityToken: UnverifiedToken.maximumByteCount
            case .state: 2048
            case .user: 64 * 1024
            case .error: 128
            }
        }
    }

    /// The form as it was posted.
    let body: Data
    private let values: [String: String]
    private let isUserDuplicate: Bool

    /// Reads a posted form; throws as ``AuthorizationCallback/init(formBody:)``.
    package init(_ body: Data) throws(SignInError) {
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
        var isUserDuplicate = false
        for (name, value) in fields where values.updateValue(value, forKey: name) != nil {
            // RFC 6749, section 3.1: parameters must not be included more than once.
            // https://www.rfc-editor.org/rfc/rfc6749#section-3.1
            switch Field(rawValue: name) {
            case .state:
                throw SignInError(.stateDuplicate, hint: "the callback's field state is repeated")
            case .user: isUserDuplicate = true
            default: throw .malformedCallback("its field \(Excerpt.quoting(name)) is repeated")
            }
        }
        self.body = body
        self.isUserDuplicate = isUserDuplicate
        self.values = values
    }

    /// The value of any field, without a limit of its own.
    func text(_ name: String) -> String? { values[name] }

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

    /// The known fields within their limits, without a `user` that cannot be read.
    package func fields() throws(SignInError) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for field in Field.allCases where field != .user || !user.isUnreadable {
            if let value = try value(field) { fields.append((field.rawValue, value)) }
        }
        return fields
    }

    /// The content of `user`, which is unsigned: an unreadable one is ignored.
    var user: (value: AuthorizationUser?, isUnreadable: Bool) {
        guard let text = values[Field.user.rawValue], !text.isEmpty else { return (nil, false) }
        guard !isUserDuplicate, text.utf8.count <= Field.user.maximumByteCount,
            let user = try? AuthorizationUser(parsing: text)
        else { return (nil, true) }
        return (user, false)
    }
}

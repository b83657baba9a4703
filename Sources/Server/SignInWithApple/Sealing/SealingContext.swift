import AppleIdentity
import Crypto
import Foundation

/// The context of an encrypted text, which only an equal context decrypts.
public struct SealingContext: Hashable, Sendable {
    private let components: [String]

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - purpose: the kind of secret, a constant such as `refresh token`.
    ///   - parts: what the secret belongs to, such as an account and a client; their order matters.
    public init(purpose: String, parts: [String] = []) { components = [purpose] + parts }

    /// A short name that finds the text encrypted for this context.
    package var tag: String {
        let hash = SHA256.hash(data: associatedData)
        return Hexadecimal.encode(hash.prefix(Self.tagByteCount))
    }

    private static let tagByteCount = 8

    /// Each component behind its length, so no two contexts have the same bytes.
    var associatedData: Data {
        var data = Data()
        for component in components {
            withUnsafeBytes(of: UInt64(component.utf8.count).bigEndian) {
                data.append(contentsOf: $0)
            }
            data.append(contentsOf: component.utf8)
        }
        return data
    }
}

/// An error of the encryption keys or of an encrypted text.
///
/// Two errors are equal if their codes are equal.
public struct SealingError: Error, Sendable, Equatable {
    /// An error code, which does not change between versions.
    public struct Code: TextIdentifier {
        /// The code as a string, such as `sealing_key_unknown`.
        public let rawValue: String

        /// Creates a code from its string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The list of keys is not of the form `id:base64,id:base64`.
        public static let keysMalformed: Code = "sealing_keys_malformed"
        /// The key that encrypted the text is not among those configured.
        public static let keyUnknown: Code = "sealing_key_unknown"
        /// The text was changed, or encrypted for another context.
        public static let textInvalid: Code = "sealed_text_invalid"
    }

    /// The error code.
    public let code: Code
    /// What happened and how to fix it; never a key.
    public let hint: String

    package init(_ code: Code, _ hint: String) {
        self.code = code
        self.hint = hint
    }

    /// Compares the codes.
    public static func == (first: SealingError, second: SealingError) -> Bool {
        first.code == second.code
    }
}

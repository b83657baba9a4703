import AppleIdentity
import Crypto
import Foundation

/// What a sealed text is for; it opens only under the same purpose and the same parts.
public struct SealingContext: Hashable, Sendable {
    private let components: [String]

    /// Makes a context.
    ///
    /// - Parameters:
    ///   - purpose: the kind of thing sealed, a fixed word.
    ///   - parts: what it belongs to, such as an account and a client.
    public init(purpose: String, parts: [String] = []) { components = [purpose] + parts }

    /// A short name by which what was sealed for this context is found again.
    package var tag: String {
        let hash = SHA256.hash(data: associatedData)
        return Hexadecimal.encode(hash.prefix(Self.tagByteCount))
    }

    private static let tagByteCount = 8

    /// Each component behind its length, so that no two contexts give the same bytes.
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

/// Why sealing keys can't be read, or a sealed text can't be opened.
///
/// Two errors are equal when their codes are.
public struct SealingError: Error, Sendable, Equatable {
    /// A stable word for programs.
    public struct Code: TextIdentifier {
        /// The word.
        public let rawValue: String

        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The list of keys is not of the form `id:base64,id:base64`.
        public static let keysMalformed: Code = "sealing_keys_malformed"
        /// The key that sealed the text is not among those configured.
        public static let keyUnknown: Code = "sealing_key_unknown"
        /// The text was altered, or sealed for something else.
        public static let textInvalid: Code = "sealed_text_invalid"
    }

    /// What happened, for programs.
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

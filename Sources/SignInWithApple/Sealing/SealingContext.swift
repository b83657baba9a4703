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
    public init(purpose: String, parts: [String] = []) {
        components = [purpose] + parts
    }

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

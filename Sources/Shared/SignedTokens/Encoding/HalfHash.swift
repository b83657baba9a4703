import AppleIdentity
import Crypto

/// The hash that binds a token to the code or access token that came with it.
///
/// Source: [OpenID Connect Core, section 3.3.2.11](https://openid.net/specs/openid-connect-core-1_0.html#HybridIDToken)
package enum HalfHash {
    /// Computes the left half of a text's SHA-256, in base64url.
    package static func make(of text: String) -> String {
        SHA256.hash(of: text).withUnsafeBytes { hash in
            Base64URL.encode(UnsafeRawBufferPointer(rebasing: hash[..<(hash.count / 2)]))
        }
    }
}

extension SHA256 {
    /// Hashes a text in place, without a copy.
    package static func hash(of text: String) -> Digest {
        var (hash, text) = (SHA256(), text)
        text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return hash.finalize()
    }

    /// The hash of a text in lower-case hexadecimal digits, as apps send nonces.
    package static func hexadecimal(of text: String) -> String {
        hash(of: text).withUnsafeBytes { Hexadecimal.encode($0) }
    }
}

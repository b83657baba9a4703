import AppleIdentity
import Foundation
import SignInWithApple

/// The `state` of a ceremony: a name, the second it began, and a secret.
///
/// The name tells tabs apart and finds the cookie; the time only makes a late answer's page say so.
/// What is trusted is the comparison of the whole with the sealed cookie.
package struct CeremonyState: Codable, Sendable {
    private static let nameByteCount = 8
    /// OWASP ASVS 7.2.3 asks for 128 bits.
    private static let secretByteCount = 16

    package let text: String

    package init(now: Date) {
        let name = SecureRandom.hexadecimal(byteCount: Self.nameByteCount)
        let secret = SecureRandom.hexadecimal(byteCount: Self.secretByteCount)
        text = "\(name).\(Int(now.timeIntervalSince1970)).\(secret)"
    }

    /// Reads a state that came back, as often as the answer has the field.
    package init(posted values: [String]) throws(CeremonyRefusal) {
        guard values.count <= 1 else { throw .doubled }
        guard let text = values.first, !text.isEmpty else { throw .missing }
        guard
            text.wholeMatch(of: /[0-9a-f]{16}\.[0-9]{1,12}\.[0-9a-f]{32}/) != nil
        else { throw .foreign }
        self.text = text
    }

    /// The ceremony's name.
    package var name: String { String(text.prefix(2 * Self.nameByteCount)) }

    private var beginning: Int {
        text.split(separator: ".").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    func isExpired(now: Date, lifetime: Int) -> Bool {
        Int(now.timeIntervalSince1970) - beginning > lifetime
    }

    /// Compares in constant time.
    func matches(_ other: CeremonyState) -> Bool {
        ConstantTime.isEqual(text, other.text)
    }
}

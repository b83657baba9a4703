import Foundation
import SignedTokens

/// Texts that nobody can guess, in the forms Apple gives its identifiers.
enum RandomText {
    private static let capitalsAndDigits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    private static let smallLettersAndDigits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    private static let lettersAndDigits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    )
    private static let digits = Array("0123456789")

    /// A Team ID or the Key ID of a client secret: ten capitals or digits.
    static func identifier() -> String { text(of: capitalsAndDigits, count: 10) }

    /// The name of a key Apple signs with: ten letters or digits.
    static func signingKeyID() -> String { text(of: lettersAndDigits, count: 10) }

    /// The part of a relay address before the `@`.
    static func relayName() -> String { text(of: smallLettersAndDigits, count: 10) }

    /// The six digits of the second factor.
    static func sixDigits() -> String { text(of: digits, count: 6) }

    static func number(ofDigits count: Int) -> String { text(of: digits, count: count) }

    /// 32 hexadecimal digits, shaped like a UUID of version 4 without its dashes.
    static func uuidHexadecimal() -> String {
        UUID().uuidString.replacing("-", with: "").lowercased()
    }

    static func base64URL(byteCount: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode(
            (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
        )
    }

    private static func text(of alphabet: [Character], count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return String(
            (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
        )
    }
}

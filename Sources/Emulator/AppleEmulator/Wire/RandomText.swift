import AppleIdentity
import SignedTokens

/// Random strings that cannot be guessed, in Apple's formats.
enum RandomText {
    private static let capitalsAndDigits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    private static let smallLettersAndDigits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    private static let lettersAndDigits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    )
    private static let digits = Array("0123456789")
    private static let hexadecimalDigits = Array("0123456789abcdef")

    /// A Team ID, or the Key ID of a client secret: ten capital letters or digits.
    static func identifier() -> String { text(of: capitalsAndDigits, count: 10) }

    /// The `kid` of an Apple signing key: ten letters or digits, fewer until 2022.
    static func signingKeyID(count: Int = EmulatorSwitches.keyNameLengths.upperBound) -> String {
        text(of: lettersAndDigits, count: count)
    }

    static func relayName(_ generator: inout some RandomNumberGenerator) -> String {
        text(of: smallLettersAndDigits, count: 10, &generator)
    }

    static func sixDigits() -> String { text(of: digits, count: 6) }

    static func number(
        ofDigits count: Int,
        _ generator: inout some RandomNumberGenerator
    ) -> String {
        text(of: digits, count: count, &generator)
    }

    /// 32 hexadecimal digits: a UUID of version 4 without its hyphens.
    static func uuidHexadecimal() -> String {
        var bytes = bytes(count: 16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return Hexadecimal.encode(bytes)
    }

    static func uuidHexadecimal(_ generator: inout some RandomNumberGenerator) -> String {
        // RFC 9562, section 5.4: the version is 4 and the variant begins with the bits 10.
        // https://www.rfc-editor.org/rfc/rfc9562#section-5.4
        var digits = text(of: hexadecimalDigits, count: 32, &generator).map(\.self)
        digits[12] = "4"
        digits[16] = hexadecimalDigits[Int.random(in: 8..<12, using: &generator)]
        return String(digits)
    }

    static func base64URL(byteCount: Int) -> String { Base64URL.encode(bytes(count: byteCount)) }

    /// Bytes of the system's generator, eight at a time: each number is a system call.
    private static func bytes(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<(count + 7) / 8).map { _ in generator.next() }
        return Array(
            words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
                .prefix(count)
        )
    }

    static func base64URL(byteCount: Int, _ generator: inout some RandomNumberGenerator) -> String {
        Base64URL.encode((0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private static func text(of alphabet: [Character], count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return text(of: alphabet, count: count, &generator)
    }

    private static func text(
        of alphabet: [Character],
        count: Int,
        _ generator: inout some RandomNumberGenerator
    ) -> String {
        String(
            (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
        )
    }
}

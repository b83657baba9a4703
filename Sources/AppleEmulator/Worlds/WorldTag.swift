/// What tells the codes and tokens of one world from those of every other.
///
/// It stands in place of eight random digits, so that codes and tokens look as they always do, and
/// is found in those too that are spent, ended or forgotten.
package struct WorldTag: Hashable, Sendable {
    /// The digits of a token that are the tag: the last of its UUID.
    private static let digits = 25..<33

    let text: String

    /// A tag by chance.
    package static func random() -> WorldTag {
        WorldTag(text: String(RandomText.uuidHexadecimal().suffix(digits.count)))
    }

    private init(text: String) {
        self.text = text
    }

    /// The tag of a code or token; nil for what has not their form.
    init?(of token: String) {
        let bytes = Array(token.utf8)
        guard bytes.count > Self.digits.upperBound,
            bytes[Self.digits.upperBound] == UInt8(ascii: ".")
        else { return nil }
        text = String(decoding: bytes[Self.digits], as: UTF8.self)
    }

    /// A UUID without dashes that ends with the tag.
    func marking(_ uuid: String) -> String {
        String(uuid.dropLast(Self.digits.count)) + text
    }
}

/// The name of a world.
struct WorldName: Hashable, Sendable {
    /// How long a name may be, in characters.
    static let maximumCharacterCount = 64
    /// What a name may be, as a regular expression.
    static let pattern = "^[A-Za-z0-9._-]{1,\(maximumCharacterCount)}$"

    let text: String

    init?(_ text: String) {
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isName, (1...Self.maximumCharacterCount).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}

import AppleIdentity

/// The name of a flow: random, so that what outlives a restart never joins somebody else's flow.
package struct FlowID: Hashable, Sendable {
    /// How many hexadecimal digits it has.
    private static let digitCount = 12

    private let number: UInt64

    static func random() -> FlowID {
        FlowID(number: UInt64.random(in: 0..<(1 << (4 * UInt64(digitCount)))))
    }

    private init(number: UInt64) {
        self.number = number
    }

    /// Reads the text of an identifier; nil when it is none.
    init?(_ text: String) {
        guard text.utf8.count == Self.digitCount, let number = UInt64(text, radix: 16),
            FlowID(number: number).text == text
        else { return nil }
        self.number = number
    }

    package var text: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: Self.digitCount - digits.count) + digits
    }
}

/// Who signs in, and to which app group.
struct FlowPerson: Hashable {
    let personID: PersonID
    let group: ClientID
}

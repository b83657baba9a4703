/// A piece of a parameter that is written in several: RFC 2231, section 3.
/// https://www.rfc-editor.org/rfc/rfc2231#section-3
struct MailParameterPiece {
    /// How many pieces are read of a parameter.
    static let maximumCount = 100

    let name: String
    let number: Int
    private let isExtended: Bool
    private let value: String

    /// Reads a name such as `filename*0` or `filename*0*`; nil when it is another.
    init?(_ name: String, value: String) {
        let parts = name.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count == 2 || (parts.count == 3 && parts[2].isEmpty),
            let number = Int(parts[1]), (0..<Self.maximumCount).contains(number)
        else { return nil }
        self.name = String(parts[0])
        self.number = number
        isExtended = parts.count == 3
        self.value = value
    }

    /// The pieces up to the first that is missing; percent-encoded with its charset when the first is.
    static func joined(_ pieces: [Int: MailParameterPiece]) -> (text: String, isExtended: Bool) {
        let isExtended = pieces[0]?.isExtended == true
        var text = ""
        for number in 0..<maximumCount {
            guard let piece = pieces[number] else { break }
            let isPlain = isExtended && !piece.isExtended
            text += isPlain ? piece.value.replacing("%", with: "%25") : piece.value
        }
        return (text, isExtended)
    }
}

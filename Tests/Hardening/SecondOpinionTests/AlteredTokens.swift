/// A token with one character exchanged, at places all over it.
enum AlteredTokens {
    /// One of so many characters is exchanged in turn.
    private static let stride = 17

    static func all(of token: String) -> [String] {
        let characters = Array(token)
        return Swift.stride(from: 0, to: characters.count, by: stride).compactMap { index in
            // The last character of a part may differ in bits that no byte gets.
            let isLast = index + 1 == characters.count || characters[index + 1] == "."
            guard characters[index] != ".", !isLast else { return nil }
            var altered = characters
            altered[index] = characters[index] == "A" ? "B" : "A"
            return String(altered)
        }
    }
}

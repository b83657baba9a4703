/// A token whose signature has another first character.
enum AlteredToken {
    static func of(_ token: String) -> String {
        var parts = token.split(separator: ".").map(String.init)
        guard let signature = parts.last else { return token }
        let first = signature.hasPrefix("A") ? "B" : "A"
        parts[parts.count - 1] = first + signature.dropFirst()
        return parts.joined(separator: ".")
    }
}

/// Apple's sentences in `error_description`, which is undocumented, and often missing.
enum AppleSentence: CaseIterable {
    case codeUsed
    case codeExpired
    case clientMismatch
    case redirectMismatch
    case tokenExpired

    /// Recognizes a sentence by the words that have stayed the same over the years.
    init?(_ description: String?) {
        let text = (description ?? "").lowercased()
        guard let known = Self.allCases.first(where: { text.contains($0.words) }) else {
            return nil
        }
        self = known
    }

    private var words: String {
        switch self {
        case .codeUsed: "code has already been used"
        case .codeExpired: "code has expired"
        case .clientMismatch: "client_id mismatch"
        case .redirectMismatch: "redirect_uri mismatch"
        case .tokenExpired: "token has expired"
        }
    }
}

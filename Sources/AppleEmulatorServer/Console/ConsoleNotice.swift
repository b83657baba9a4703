/// What was done last, as the address after it names it.
enum ConsoleNotice: String, CaseIterable {
    case reset

    /// The parameter that carries it.
    static let parameter = "done"

    var text: String {
        switch self {
        case .reset: "Everything is as the seed has it."
        }
    }
}

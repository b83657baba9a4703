import Foundation

/// `docs/fidelity.json`: what Apple does, and what the emulator makes of it.
struct Fidelity: Decodable {
    /// Where a fact about Apple's service can be read: names and addresses.
    let sources: [String: String]
    /// In the order of a sign-in.
    let topics: [Topic]

    /// The behaviours around one endpoint or idea: a section of docs/reference/fidelity.md.
    struct Topic: Decodable {
        let title: String
        let behaviours: [Behaviour]
    }

    /// One thing Apple does.
    struct Behaviour: Decodable {
        /// How the tests name it.
        let id: String
        let text: String
        let mark: Mark
        /// Names of ``Fidelity/sources``; none for what is assumed.
        let sources: [String]?
        /// How a user of the emulator changes it: a switch, a seed key, a control route or an option.
        let `switch`: String?
        /// Why the emulator does not do the same.
        let notEmulated: String?
    }

    /// How it is known that Apple does so.
    enum Mark: String, Decodable, CaseIterable {
        case documented, observed, assumed

        var meaning: String {
            switch self {
            case .documented: "Apple's documentation says it"
            case .observed: "people pasted what Apple answered, or tested it against Apple"
            case .assumed: "neither; the likeliest guess"
            }
        }
    }

    var behaviours: [Behaviour] { topics.flatMap(\.behaviours) }

    init() throws {
        let data = try Data(contentsOf: Document.file("docs/fidelity.json"))
        self = try JSONDecoder().decode(Fidelity.self, from: data)
    }
}

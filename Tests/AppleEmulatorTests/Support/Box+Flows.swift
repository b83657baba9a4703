import AppleEmulator
import AppleEmulatorPages
import AppleIdentity

extension Box {
    /// The complete latest flow.
    func lastFlow() async throws -> JSONObject {
        let id = await apple.flows().last?["id"]?.stringValue ?? ""
        return try await apple.flow(id: id)
    }

    /// The states of all flows, in the order they began.
    func flowStates() async -> [String?] { await apple.flows().map { $0["state"]?.stringValue } }

    /// Every flow as JSON.
    func everythingShown() async throws -> String {
        var texts = await apple.flows().map(\.text)
        for flow in await apple.flows() {
            let id = flow["id"]?.stringValue ?? ""
            texts.append(try await apple.flow(id: id).text)
        }
        return texts.joined(separator: "\n")
    }
}

extension JSONObject {
    /// The steps of a flow.
    var steps: [JSONObject] { (self["steps"]?.arrayValue ?? []).compactMap(\.objectValue) }

    /// A flow's steps in short: sender, receiver and action.
    var story: [String] {
        steps.map { step in
            let words = ["from", "to", "title"].map { step[$0]?.stringValue ?? "" }
            return "\(words[0]) > \(words[1]): \(words[2])"
        }
    }

    var lastStep: JSONObject { steps.last ?? [:] }

    /// The claims of a token that a step shows.
    func claims(of name: String) -> JSONObject {
        (self["tokens"]?.arrayValue ?? []).compactMap(\.objectValue)
            .first { $0["name"]?.stringValue == name }?["claims"]?.objectValue ?? [:]
    }
}

import Foundation

/// Apple's response, encrypted in a page that posts it again: Apple sends the user's name only once.
struct RepeatedCallback {
    let body: Data
    let id: String
    /// The name that the user entered instead of the one in the response.
    let name: PersonName?

    init(body: Data, id: String) {
        self.body = body
        self.id = id
        name = nil
    }

    init(_ form: [(name: String, value: String)], sealer: TokenSealer) throws(RefusedSignIn) {
        func value(_ name: String) -> String? {
            let values = form.filter { $0.name == name }
            return values.count == 1 ? values[0].value : nil
        }
        guard
            let sealed = value("callback"), let id = value("pending"),
            let body = try? sealer.open(sealed, for: Self.context(id))
        else { throw .repeatedCallbackAltered }
        self.body = body
        self.id = id
        name = value("name").map { PersonName(givenName: $0) }
    }

    func form(action: String, asksName: Bool, sealer: TokenSealer) -> RefusedSignIn.RepeatForm {
        RefusedSignIn.RepeatForm(
            action: action,
            fields: [
                FormField(name: "pending", value: id),
                FormField(name: "callback", value: sealer.seal(body, for: Self.context(id))),
            ],
            asksName: asksName
        )
    }

    private static func context(_ id: String) -> SealingContext {
        SealingContext(purpose: "callback", parts: [id])
    }
}

import AppleIdentity

/// The facts that a device has about its Apple Account.
struct DeviceAccount: Hashable, Sendable {
    let email: String
    let name: PersonName
    let addresses: [String]
    let hasTwoFactor: Bool
    let isManaged: Bool
    /// The requesting app; nil if it is not registered.
    let app: App?
    let apps: [UsedApp]

    /// A requesting app.
    struct App: Hashable, Sendable {
        let name: String
        let developer: String
        let isUsed: Bool
    }
}

extension DeviceAccount {
    init(_ object: JSONObject) throws(JSONFieldError) {
        let fields = JSONFields(object)
        email = try fields.text("email")
        name = PersonName(
            givenName: try fields.optionalText("given_name"),
            familyName: try fields.optionalText("family_name")
        )
        addresses = try fields.optionalTexts("addresses") ?? []
        hasTwoFactor = try fields.optionalBoolean("two_factor") ?? false
        isManaged = try fields.optionalBoolean("managed") ?? false
        app = try fields.optionalFields("app").map { app throws(JSONFieldError) in
            App(
                name: try app.text("name"),
                developer: try app.text("developer"),
                isUsed: try app.optionalBoolean("used") ?? false
            )
        }
        let apps = try fields.require("apps", fields.optional("apps", "a list", \.arrayValue))
        self.apps = try apps.map { value throws(JSONFieldError) in
            try UsedApp(JSONFields(value.objectValue ?? [:], path: "apps."))
        }
    }
}

extension UsedApp {
    fileprivate init(_ fields: JSONFields) throws(JSONFieldError) {
        id = ClientID(try fields.text("client_id"))
        name = try fields.text("name")
        developer = try fields.text("developer")
        let address = try fields.optionalText("address")
        email =
            switch try fields.text("email") {
            case "share": address.map { .shared($0) } ?? .notShared
            case "hide":
                .hidden(
                    relay: address,
                    isForwarded: try fields.optionalBoolean("forwarding") ?? true
                )
            default: .notShared
            }
    }
}

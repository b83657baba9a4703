import AppleIdentity

/// What the emulated user decides, and what the emulated device lacks.
public struct EmulatedChoice: Hashable, Sendable {
    /// The state of the device.
    public enum Device: Hashable, Sendable {
        /// It is signed in to an Apple Account with two-factor authentication.
        case complete
        /// It has no Apple Account; requests fail with `unknown`.
        case withoutAccount
        /// Its Apple Account has no two-factor authentication; requests fail with `unknown`.
        case withoutTwoFactor
    }

    /// The name that the user shares at the first sign-in.
    public enum Name: Hashable, Sendable {
        /// The name of the Apple Account.
        case own
        /// A name that the user entered.
        case edited(PersonName)
        /// An empty name.
        case withheld
    }

    /// The state of the device.
    public var device: Device
    /// Whether the user closes the sheet; requests then fail with `canceled`.
    public var cancels: Bool
    /// Whether the user hides the email address at the first sign-in.
    public var hidesEmail: Bool
    /// The name that the user shares at the first sign-in.
    public var name: Name

    /// Creates a choice; by default the user shares everything.
    ///
    /// - Parameters:
    ///   - device: the state of the device.
    ///   - cancels: whether the user closes the sheet.
    ///   - hidesEmail: whether the user hides the email address.
    ///   - name: the name that the user shares.
    public init(
        device: Device = .complete,
        cancels: Bool = false,
        hidesEmail: Bool = false,
        name: Name = .own
    ) {
        self.device = device
        self.cancels = cancels
        self.hidesEmail = hidesEmail
        self.name = name
    }

    /// Reads a choice from words separated by commas; nil if one is unknown.
    ///
    /// - Parameter words: any of `no-account`, `no-two-factor`, `cancel`, `hide-email`, `withhold-name`, and
    ///   `name=GIVEN FAMILY`.
    public init?(words: String) {
        self.init()
        for word in words.split(separator: ",") {
            switch word {
            case "no-account": device = .withoutAccount
            case "no-two-factor": device = .withoutTwoFactor
            case "cancel": cancels = true
            case "hide-email": hidesEmail = true
            case "withhold-name": name = .withheld
            default:
                guard word.hasPrefix("name=") else { return nil }
                let parts = word.dropFirst("name=".count).split(separator: " ", maxSplits: 1)
                guard let given = parts.first else { return nil }
                let family = parts.dropFirst().first.map { String($0) }
                name = .edited(PersonName(givenName: String(given), familyName: family))
            }
        }
    }

    /// The failure of a request; nil if the user consents.
    var failure: AuthorizationFailure? {
        switch device {
        case .withoutAccount:
            AuthorizationFailure(.unknown, hint: "the emulated device has no Apple Account")
        case .withoutTwoFactor:
            AuthorizationFailure(
                .unknown,
                hint: "the emulated account has no two-factor authentication"
            )
        case .complete:
            cancels
                ? AuthorizationFailure(.canceled, hint: "the emulated user closed the sheet") : nil
        }
    }

    /// Adds the decision to a request for the control port.
    func add(to body: inout JSONObject) {
        if hidesEmail { body["email"] = "hide" }
        switch name {
        case .own: break
        case .withheld:
            let scopes = body["scopes"]?.arrayValue?.filter { $0 != .string(Scope.name.rawValue) }
            body["scopes"] = .array(scopes ?? [])
        case .edited(let name):
            var parts = JSONObject()
            parts["given_name"] = name.givenName.map { .string($0) }
            parts["family_name"] = name.familyName.map { .string($0) }
            body["name"] = .object(parts)
        }
    }
}

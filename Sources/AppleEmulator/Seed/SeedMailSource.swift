import AppleIdentity

/// A domain or address that a team registered as a source of its mail to relay addresses.
public struct SeedMailSource: Hashable, Sendable {
    /// Where mail comes from.
    public enum Place: Hashable, Sendable {
        /// Every address of exactly this domain; subdomains are registered by themselves.
        case domain(String)
        /// One address.
        case address(String)
    }

    /// What the domain's entries in the DNS would let Apple check.
    public enum Authentication: String, Hashable, Sendable, CaseIterable {
        /// SPF for the envelope's sender.
        case spf
        /// DKIM for the From field.
        case dkim
        /// SPF and DKIM.
        case both
        /// Neither.
        case none
    }

    /// The team that writes from there.
    public var teamID: TeamID
    /// Where mail comes from.
    public var place: Place
    /// What stands in the DNS, which the emulator does not ask.
    public var authentication: Authentication

    /// Makes a source.
    public init(teamID: TeamID, place: Place, authentication: Authentication = .both) {
        self.teamID = teamID
        self.place = place.normalized
        self.authentication = authentication
    }

    var hasSPF: Bool { authentication == .spf || authentication == .both }
    var hasDKIM: Bool { authentication == .dkim || authentication == .both }
}

extension SeedMailSource {
    init(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: ["team_id", "domain", "address", "authentication"]
        )
        let teamID = TeamID(try fields.text("team_id"))
        let domain = try fields.optionalText("domain")
        let address = try fields.optionalText("address")
        let place: Place
        switch (domain, address) {
        case (let domain?, nil):
            guard MailAddress("postmaster@" + domain) != nil, !domain.hasPrefix("[") else {
                throw .wrong("domain", "must be a domain such as mail.example.com")
            }
            place = .domain(domain)
        case (nil, let address?):
            guard MailAddress(address) != nil else {
                throw .wrong("address", "must be an e-mail address")
            }
            place = .address(address)
        case (.some, .some): throw .wrong("address", "can't be there together with domain")
        case (nil, nil): throw .wrong("domain", "is missing, and so is address")
        }
        self.init(
            teamID: teamID,
            place: place,
            authentication: try Self.authentication(fields)
        )
    }

    private static func authentication(
        _ fields: FieldReader
    ) throws(ControlRefusal) -> Authentication {
        guard let text = try fields.optionalText("authentication") else { return .both }
        guard let authentication = Authentication(rawValue: text) else {
            let known = Authentication.allCases.map(\.rawValue).joined(separator: ", ")
            throw .wrong("authentication", "must be one of \(known)")
        }
        return authentication
    }

    var object: JSONObject {
        [
            "team_id": .string(teamID.rawValue),
            place.fieldName: .string(place.text),
            "authentication": .string(authentication.rawValue),
        ]
    }
}

extension SeedMailSource.Place {
    /// The field of a seed that holds it.
    var fieldName: String {
        switch self {
        case .domain: "domain"
        case .address: "address"
        }
    }

    var text: String {
        switch self {
        case .domain(let text), .address(let text): text
        }
    }

    fileprivate var normalized: Self {
        switch self {
        case .domain(let text): .domain(text.lowercased())
        case .address(let text): .address(text.lowercased())
        }
    }
}

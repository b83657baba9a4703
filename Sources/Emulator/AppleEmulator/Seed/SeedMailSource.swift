import AppleIdentity
import OpenAPIDescription

/// A domain or email address that a team registered as a source of mail to relay addresses.
public struct SeedMailSource: Hashable, Sendable {
    /// The domain or the email address.
    public enum Place: Hashable, Sendable {
        /// All email addresses of this domain, but not of its subdomains.
        case domain(String)
        /// One email address.
        case address(String)
    }

    /// The email authentication that mail from the source passes.
    public enum Authentication: String, Hashable, Sendable, CaseIterable {
        /// SPF, for the envelope's sender.
        case spf
        /// DKIM, for the From field.
        case dkim
        /// Both SPF and DKIM.
        case both
        /// Neither.
        case none
    }

    /// The team that registered it.
    public var teamID: TeamID
    /// The domain or the email address.
    public var place: Place
    /// The authentication to assume; the emulator queries no DNS.
    public var authentication: Authentication

    /// Creates a mail source.
    public init(teamID: TeamID, place: Place, authentication: Authentication = .both) {
        self.teamID = teamID
        self.place = place.normalized
        self.authentication = authentication
    }

    var hasSPF: Bool { authentication == .spf || authentication == .both }
    var hasDKIM: Bool { authentication == .dkim || authentication == .both }
}

extension SeedMailSource: SchemaObject {
    private static let lengths = 1...MailAddress.maximumByteCount

    static let schema = ObjectSchema(
        SeedMailSource(teamID: "", place: .domain("")),
        .required("team_id", \.teamID, .identifier),
        SchemaField(
            described: [
                .optional("domain", .text(format: "idn-hostname", lengths: lengths).orNull),
                .optional("address", .text(format: "idn-email", lengths: lengths).orNull),
            ],
            read: { reader, source throws(ControlRefusal) in
                source.place = try Place(reader).normalized
            },
            write: { $1.add($0.place.fieldName, .string($0.place.text)) }
        ),
        .usual("authentication", \.authentication, .choice)
    )
}

extension SeedMailSource.Place {
    fileprivate init(_ reader: FieldReader) throws(ControlRefusal) {
        switch (try reader.optionalText("domain"), try reader.optionalText("address")) {
        case (let domain?, nil):
            let isDomain = MailAddress("postmaster@" + domain) != nil && !domain.hasPrefix("[")
            guard reader.isTrusted || isDomain else {
                throw .wrong("domain", "must be a domain such as mail.example.com")
            }
            self = .domain(domain)
        case (nil, let address?):
            guard reader.isTrusted || MailAddress(address) != nil else {
                throw .wrong("address", "must be an email address")
            }
            self = .address(address)
        case (.some, .some): throw .wrong("address", "can't be combined with domain")
        case (nil, nil): throw .wrong("domain", "or address is required")
        }
    }

    /// The field's name in a seed.
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

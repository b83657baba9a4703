import AppleIdentity

/// A Services ID: the web side of a primary app.
public struct SeedService: Hashable, Sendable {
    /// The Services ID.
    public var clientID: ClientID
    /// The primary app, which gives team and group.
    public var primaryClientID: ClientID
    /// What people see.
    public var name: String?
    /// The redirect addresses, compared whole.
    public var returnURLs: [String]

    /// Makes a Services ID.
    public init(
        clientID: ClientID,
        primaryClientID: ClientID,
        name: String? = nil,
        returnURLs: [String] = []
    ) {
        self.clientID = clientID
        self.primaryClientID = primaryClientID
        self.name = name
        self.returnURLs = returnURLs
    }
}

extension SeedService: SchemaObject {
    /// How many return URLs Apple lets an organization register.
    static let maximumReturnURLCount = 100
    /// How many it lets a team of one person register.
    static let maximumIndividualReturnURLCount = 10

    static let schema = Schema(
        SeedService(clientID: "", primaryClientID: ""),
        .required("client_id", \.clientID, .newClient),
        .required("primary_client_id", \.primaryClientID, .identifier),
        .optional("name", \.name, .text),
        .usual("return_urls", \.returnURLs, .texts)
    )

    func checkReturnURLs(ofIndividual isIndividual: Bool) throws(ControlRefusal) {
        let maximumCount =
            isIndividual ? Self.maximumIndividualReturnURLCount : Self.maximumReturnURLCount
        guard returnURLs.count <= maximumCount else {
            throw .wrong("return_urls", "has more than \(maximumCount) entries")
        }
        for url in returnURLs {
            if let fault = RedirectAddress(url).registrationFault {
                throw .wrong("return_urls", "has \"\(url)\", which \(fault)")
            }
        }
    }
}

import AppleIdentity
import OpenAPIDescription

/// A Services ID, for the web.
public struct SeedService: Hashable, Sendable {
    /// The Services ID.
    public var clientID: ClientID
    /// The primary app, which determines the team and the group.
    public var primaryClientID: ClientID
    /// The name that users see; nil shows the app's name.
    public var name: String?
    /// The redirect URIs (Return URLs in Apple's portal), compared exactly.
    public var returnURLs: [String]

    /// Creates a Services ID.
    public init(
        clientID: ClientID,
        primaryClientID: ClientID,
        name: String? = nil,
        returnURLs: [String] = []
    ) {
        (self.clientID, self.primaryClientID, self.name) = (clientID, primaryClientID, name)
        self.returnURLs = returnURLs
    }
}

extension SeedService: SchemaObject {
    /// Apple's maximum number of redirect URIs for an organization.
    static let maximumReturnURLCount = 100
    /// Apple's maximum number of redirect URIs for an individual.
    static let maximumIndividualReturnURLCount = 10

    /// The fields that can be changed.
    static let changeableNames = ["name", "return_urls"]

    static let schema = ObjectSchema(
        SeedService(clientID: "", primaryClientID: ""),
        .required("client_id", \.clientID, .newClient),
        .required("primary_client_id", \.primaryClientID, .identifier),
        .optional("name", \.name, .text),
        .usual(
            "return_urls",
            \.returnURLs,
            .texts.checked(
                "has more than \(maximumReturnURLCount) entries",
                .list(of: FieldReader.schema(format: "uri"), maximumCount: maximumReturnURLCount)
            ) { $0.count <= maximumReturnURLCount }
        )
    )

    func checkReturnURLs(ofIndividual isIndividual: Bool) throws(ControlRefusal) {
        let maximumCount =
            isIndividual ? Self.maximumIndividualReturnURLCount : Self.maximumReturnURLCount
        guard returnURLs.count <= maximumCount else {
            throw .wrong("return_urls", "has more than \(maximumCount) entries")
        }
        for url in returnURLs {
            if let fault = RedirectURI(url).registrationFault {
                throw .wrong("return_urls", "has \"\(url)\", which \(fault)")
            }
        }
    }
}

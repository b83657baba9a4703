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

extension SeedService {
    /// How many return URLs Apple lets an organization register.
    static let maximumReturnURLCount = 100
    /// How many it lets a team of one person register.
    static let maximumIndividualReturnURLCount = 10

    init(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: ["client_id", "primary_client_id", "name", "return_urls"]
        )
        self.init(
            clientID: try fields.clientID("client_id"),
            primaryClientID: ClientID(try fields.text("primary_client_id")),
            name: try fields.optionalText("name"),
            returnURLs: try fields.texts("return_urls")
        )
    }

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

    var object: JSONObject {
        var object: JSONObject = [
            "client_id": .string(clientID.rawValue),
            "primary_client_id": .string(primaryClientID.rawValue),
        ]
        object["name"] = name.map { .string($0) }
        object["return_urls"] = .array(returnURLs.map { .string($0) })
        return object
    }
}

/// A person's name as Apple tells it: two parts, either of which may be missing.
public struct PersonName: Hashable, Sendable, Codable {
    /// The given name.
    public var givenName: String?
    /// The family name.
    public var familyName: String?

    /// Makes a name; an empty part counts as missing.
    public init(givenName: String? = nil, familyName: String? = nil) {
        self.givenName = givenName?.isEmpty == true ? nil : givenName
        self.familyName = familyName?.isEmpty == true ? nil : familyName
    }

    /// Whether neither part is there.
    public var isEmpty: Bool { givenName == nil && familyName == nil }

    /// Both parts in one line, given name first.
    public var displayName: String {
        [givenName, familyName].compactMap(\.self).joined(separator: " ")
    }
}

extension PersonName {
    /// The parts of Foundation's `PersonNameComponents`, of which two are read.
    package static let componentNames = [
        "givenName", "familyName", "namePrefix", "middleName", "nameSuffix", "nickname",
        "phoneticRepresentation",
    ]

    /// Reads the name as an app sends it; nil when there is nothing in it.
    package init?(components: JSONFields) throws(JSONFieldError) {
        try components.refuseOthers(than: Self.componentNames)
        self.init(
            givenName: try components.optionalText("givenName"),
            familyName: try components.optionalText("familyName")
        )
        if isEmpty { return nil }
    }
}

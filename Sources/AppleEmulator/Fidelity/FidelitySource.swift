/// Where a fact about Apple's service can be read.
package struct FidelitySource: Hashable, Sendable {
    /// What the document calls it.
    package let name: String
    package let address: String

    private init(_ name: String, _ address: String) {
        self.name = name
        self.address = address
    }
}

extension FidelitySource {
    static let wellKnown = FidelitySource(
        "dated copies of discovery and keys",
        "https://github.com/panva/wellknown/tree/main/issuers/apple"
    )
}

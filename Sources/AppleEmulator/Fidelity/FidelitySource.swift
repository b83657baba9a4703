/// Where a fact about Apple's service can be read.
package struct FidelitySource: Hashable, Sendable {
    /// What the document calls it.
    package let name: String
    package let address: String

    init(_ name: String, _ address: String) {
        self.name = name
        self.address = address
    }
}

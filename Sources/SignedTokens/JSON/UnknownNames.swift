/// Names of an object's members that its reader does not know, each of which may be there once.
package struct UnknownNames {
    /// How many are compared with one another; Apple's tokens have none.
    private static let maximumCount = 8

    private var names: [FlatJSON.Text] = []

    package init() {}

    /// Takes one more name, which must outlive this.
    ///
    /// - Returns: false when it was taken before, or when there are too many to tell.
    package mutating func insert(_ name: FlatJSON.Text) -> Bool {
        guard names.count < Self.maximumCount, !names.contains(where: name.elementsEqual) else {
            return false
        }
        names.append(name)
        return true
    }
}

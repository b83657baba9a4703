import AppleIdentity

/// What adding an object came to.
public struct AddOutcome: Hashable, Sendable {
    /// The object as it is registered now.
    public let object: JSONObject
    /// Whether it was made now; false when the same one was there already.
    public let isNew: Bool

    /// Makes an outcome.
    public init(object: JSONObject, isNew: Bool) {
        self.object = object
        self.isNew = isNew
    }
}

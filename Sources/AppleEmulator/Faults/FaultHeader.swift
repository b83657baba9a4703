import HTTPTypes

/// A header field that a fault sets, or takes away.
struct FaultHeader {
    /// The name as it was given.
    let text: String
    let name: HTTPField.Name
    /// The value; nil takes the field away.
    let value: String?
}

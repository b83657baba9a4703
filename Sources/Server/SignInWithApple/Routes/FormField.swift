/// A hidden field of a form on a page of your own.
public struct FormField: Hashable, Sendable {
    /// The name of the field.
    public let name: String
    /// Its value, which HTML must escape.
    public let value: String
}

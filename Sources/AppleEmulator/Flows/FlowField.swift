/// A name and a value that may be shown.
package struct FlowField: Hashable, Sendable {
    package let name: String
    package let value: String
}

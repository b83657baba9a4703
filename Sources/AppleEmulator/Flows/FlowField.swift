/// A name and a value that may be shown.
struct FlowField: Hashable {
    let name: String
    let value: String
}

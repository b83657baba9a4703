import AppleIdentity

extension JSONObject {
    /// The members of both objects; of two with one name, the other's value.
    package func merging(_ other: JSONObject) -> JSONObject {
        other.members.reduce(into: self) { $0[$1.name] = $1.value }
    }
}

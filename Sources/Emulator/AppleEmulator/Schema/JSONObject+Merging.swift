import AppleIdentity

extension JSONObject {
    /// The members of both objects; `other` wins if both have a name.
    package func merging(_ other: JSONObject) -> JSONObject {
        other.members.reduce(into: self) { $0[$1.name] = $1.value }
    }
}

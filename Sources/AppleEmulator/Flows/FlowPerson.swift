import AppleIdentity

/// Who signs in, and to which app group.
struct FlowPerson: Hashable {
    let personID: PersonID
    let group: ClientID
}

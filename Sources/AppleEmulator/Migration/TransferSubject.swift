import AppleIdentity

/// Whom an identifier between two teams stands for.
struct TransferSubject: Hashable {
    let personID: PersonID
    let fromTeam: TeamID
    let toTeam: TeamID
}

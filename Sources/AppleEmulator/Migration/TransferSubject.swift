import AppleIdentity

/// Whom an identifier between two teams stands for.
struct TransferSubject: Hashable {
    var personID: PersonID = .nobody
    var fromTeam: TeamID = ""
    var toTeam: TeamID = ""
}

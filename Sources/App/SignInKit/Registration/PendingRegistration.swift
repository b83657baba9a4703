import AppleIdentity

/// Apple's response, stored until the server confirms it, because Apple sends the name only once.
struct PendingRegistration: Hashable, Sendable, Codable {
    /// The user identifier, which differs for each developer team.
    let user: UserID
    /// The name, from this response or from an earlier one that the server never received.
    var name: PersonName?
    /// The whole response; nil if it has expired and only the name remains.
    var credential: AppleCredential?
    /// The nonce before hashing.
    var nonce: String?
    /// The token that the server expects with the same request.
    var resumeToken: String?

    /// Whether another credential of this user is needed.
    var isExpired: Bool { credential == nil }

    var body: JSONObject {
        var body = JSONObject()
        body["identityToken"] = credential.map { .string($0.identityToken) }
        body["authorizationCode"] = credential?.authorizationCode.map { .string($0) }
        body["nonce"] = nonce.map { .string($0) }
        body["resumeToken"] = resumeToken.map { .string($0) }
        if let name, !name.isEmpty {
            var parts = JSONObject()
            parts["givenName"] = name.givenName.map { .string($0) }
            parts["familyName"] = name.familyName.map { .string($0) }
            body["fullName"] = .object(parts)
        }
        return body
    }

    /// The same, in which only the name is left.
    var expired: PendingRegistration { PendingRegistration(user: user, name: name) }

    /// The same, with a name that the server takes.
    var clipped: PendingRegistration {
        var clipped = self
        let partLength = SignInLimits.maximumNameCharacterCount / 2 - 1
        clipped.name = name.map {
            PersonName(
                givenName: $0.givenName.map { String($0.prefix(partLength)) },
                familyName: $0.familyName.map { String($0.prefix(partLength)) }
            )
        }
        return clipped
    }
}

/// All of Apple's responses that the server has not confirmed, one a user.
struct PendingRegistrations: Hashable, Sendable, Codable {
    private(set) var list: [PendingRegistration] = []

    /// The one to be sent: at most one has more than a name.
    var next: PendingRegistration? { list.first { !$0.isExpired } }

    /// Keeps a response, with the name of an earlier one when it has none itself.
    mutating func add(_ credential: AppleCredential, nonce: String?) {
        let earlier = list.first { $0.user == credential.user }?.name
        expireAll()
        list.removeAll { $0.user == credential.user }
        list.append(
            PendingRegistration(
                user: credential.user,
                name: credential.fullName ?? earlier,
                credential: credential,
                nonce: nonce
            )
        )
        if list.count > SignInLimits.maximumRegistrationCount { list.removeFirst() }
    }

    /// Keeps the name of a response that is not sent as a registration.
    mutating func addName(of credential: AppleCredential) {
        guard let name = credential.fullName else { return }
        list.removeAll { $0.user == credential.user && $0.isExpired }
        guard !list.contains(where: { $0.user == credential.user }) else { return }
        list.append(PendingRegistration(user: credential.user, name: name))
        if list.count > SignInLimits.maximumRegistrationCount { list.removeFirst() }
    }

    func name(of user: UserID) -> PersonName? { list.first { $0.user == user }?.name }

    /// Replaces a response with its changed form; does nothing if it was removed.
    mutating func replace(_ old: PendingRegistration, with new: PendingRegistration) {
        guard let index = list.firstIndex(of: old) else { return }
        list[index] = new
        if new.isExpired, new.name == nil { list.remove(at: index) }
    }

    /// Removes a response that the server has, with its name; a newer response of the user stays.
    mutating func remove(_ sent: PendingRegistration) {
        list.removeAll { $0.user == sent.user && ($0 == sent || $0.isExpired) }
    }

    /// Removes all of a user who is gone.
    mutating func remove(_ user: UserID) { list.removeAll { $0.user == user } }

    /// Adds the stored responses of other users; a response in memory is newer.
    mutating func adopt(_ stored: PendingRegistrations) {
        let known = Set(list.map(\.user))
        var others = stored.list.filter { !known.contains($0.user) }
        if next != nil { others = others.map(\.expired).filter { $0.name != nil } }
        list = (others + list).suffix(SignInLimits.maximumRegistrationCount)
    }

    /// Keeps only the names, because no sign-in may continue automatically.
    mutating func expireAll() {
        list = list.map(\.expired).filter { $0.name != nil }
    }
}

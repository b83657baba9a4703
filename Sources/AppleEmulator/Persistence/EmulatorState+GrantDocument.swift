import AppleIdentity
import Foundation

extension EmulatorState {
    func writeGrants(to document: inout StateDocument) {
        document["codes"] = .array(
            grants.codes.entries.map { .object($0.value.document(named: $0.key)) }
        )
        document["access_tokens"] = .array(
            grants.accessTokens.entries.map { token, value in
                let object: JSONObject = [
                    "token": .string(token), "issued_at": .time(value.issuedAt),
                ]
                return .object(object.adding(value.grant.document))
            }
        )
        document["refresh_tokens"] = .array(
            grants.refreshTokens.entries.map { token, grant in
                .object((["token": .string(token)] as JSONObject).adding(grant.document))
            }
        )
        document["refreshes"] = .array(
            refreshes.times.filter { people[$0.key.personID] != nil }
                .sorted {
                    ($0.key.personID.number, $0.key.clientID.rawValue)
                        < ($1.key.personID.number, $1.key.clientID.rawValue)
                }
                .map { pair, times in
                    [
                        "person_id": .person(pair.personID),
                        "client_id": .string(pair.clientID.rawValue),
                        "times": .array(times.map { .time($0) }),
                    ]
                }
        )
    }

    mutating func readGrants(_ document: StateDocument) throws(ControlRefusal) {
        try document.each("codes") { object throws(ControlRefusal) in
            let names = ["code", "issued_at", "redirect_uri", "code_challenge", "used", "tokens"]
            let fields = try FieldReader(object, known: names + Grant.names)
            let text = try fields.text("code")
            guard grants.codes[text] == nil else { throw .twice("code") }
            grants.codes.insert(try AuthorizationCode(fields, in: self), for: text)
        }
        try document.each("access_tokens") { object throws(ControlRefusal) in
            let fields = try FieldReader(object, known: ["token", "issued_at"] + Grant.names)
            let text = try fields.text("token")
            guard grants.accessTokens[text] == nil else { throw .twice("token") }
            let grant = try Grant(fields, in: self)
            grants.accessTokens.insert(
                AccessToken(grant: grant, issuedAt: try fields.time("issued_at")),
                for: text
            )
        }
        try document.each("refresh_tokens") { object throws(ControlRefusal) in
            let fields = try FieldReader(object, known: ["token"] + Grant.names)
            let text = try fields.text("token")
            guard grants.refreshTokens[text] == nil else { throw .twice("token") }
            grants.refreshTokens.insert(try Grant(fields, in: self), for: text)
        }
        try document.each("refreshes") { object throws(ControlRefusal) in
            try readRefreshes(object)
        }
    }

    private mutating func readRefreshes(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(object, known: ["person_id", "client_id", "times"])
        let pair = RefreshStore.Pair(
            personID: try fields.personID(in: people),
            clientID: try fields.client("client_id", in: registry)
        )
        refreshes.times[pair] = try fields.times("times")
    }
}

extension FieldReader {
    fileprivate func times(_ name: String) throws(ControlRefusal) -> [Date] {
        let values = value(name)?.arrayValue ?? []
        let times = values.compactMap { $0.stringValue.flatMap(StateTime.time) }
        guard times.count == values.count else { throw .wrong(name, "must be a list of times") }
        return times
    }
}

extension FieldReader {
    /// The switches that an authorization asked for, each good for a request.
    fileprivate func switches(_ name: String) throws(ControlRefusal) -> JSONObject {
        guard let value = value(name) else { return [:] }
        guard let object = value.objectValue else { throw .wrong(name, "must be an object") }
        var tried = EmulatorSwitches(EmulatorConfiguration())
        try tried.change(object, isForRequest: true)
        return try EmulatorSwitches.withPresentNames(object)
    }
}

extension Grant {
    fileprivate static let names = [
        "person_id", "client_id", "group", "team_id", "nonce", "authenticated_at", "switches",
    ]

    fileprivate var document: JSONObject {
        var object: JSONObject = [
            "person_id": .person(personID), "client_id": .string(clientID.rawValue),
            "group": .string(group.rawValue), "team_id": .string(teamID.rawValue),
        ]
        object["nonce"] = nonce.map { .string($0) }
        object["authenticated_at"] = .time(authenticatedAt)
        if !switches.members.isEmpty { object["switches"] = .object(switches) }
        return object
    }

    fileprivate init(_ fields: FieldReader, in state: EmulatorState) throws(ControlRefusal) {
        self.init(
            personID: try fields.personID(in: state.people),
            clientID: try fields.client("client_id", in: state.registry),
            group: try fields.primaryApp("group", in: state.registry),
            teamID: try fields.team("team_id", in: state.registry),
            nonce: try fields.opaque("nonce"),
            authenticatedAt: try fields.time("authenticated_at"),
            switches: try fields.switches("switches")
        )
    }
}

extension AuthorizationCode {
    fileprivate func document(named text: String) -> JSONObject {
        var object: JSONObject = ["code": .string(text), "issued_at": .time(issuedAt)]
        object = object.adding(grant.document)
        object["redirect_uri"] = redirectURI.map { .string($0) }
        object["code_challenge"] = codeChallenge.map { .string($0) }
        if isUsed {
            object["used"] = true
            object["tokens"] = .array(tokens.map { .string($0) })
        }
        return object
    }

    fileprivate init(_ fields: FieldReader, in state: EmulatorState) throws(ControlRefusal) {
        self.init(
            grant: try Grant(fields, in: state),
            redirectURI: try fields.opaque("redirect_uri"),
            codeChallenge: try fields.opaque("code_challenge"),
            issuedAt: try fields.time("issued_at"),
            isUsed: try fields.boolean("used", default: false),
            tokens: try fields.texts("tokens")
        )
    }
}

import AppleIdentity

/// An endless sequence of random requests to the control port; a seed repeats it.
struct RandomControl: Sequence, IteratorProtocol, RandomNumberGenerator {
    struct Request {
        let method: String
        let path: String
        let body: JSONObject?
    }

    private var state: UInt64
    private var rest: Int

    init(seed: UInt64, count: Int) {
        state = seed
        rest = count
    }

    /// A number of a linear congruential generator, mixed.
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 22)) &* 0x9E37_79B9_7F4A_7C15
    }

    mutating func next() -> Request? {
        guard rest > 0 else { return nil }
        rest -= 1
        let requests = [
            adding("/teams", ["team_id": team, "individual": .boolean(coin())]),
            adding("/apps", ["client_id": app, "team_id": team, "name": .string(oddText())]),
            adding(
                "/services",
                [
                    "client_id": .string("com.example.web\(number(9))"),
                    "primary_client_id": app,
                    "return_urls": .array(
                        (0..<number(13)).map { .string("https://a.example.com/\($0)") }
                    ),
                ]
            ),
            adding("/transfers", ["client_id": app, "to_team": team]),
            adding("/people", ["email": .string(email()), "given_name": .string(oddText())]),
            adding("/people", ["email": .string(email()), "managed": .boolean(coin())]),
            Request(method: "DELETE", path: "/people/\(pathEmail())", body: nil),
            ofPerson("credentials", ["client_id": app, "email": coin() ? "hide" : "share"]),
            ofPerson("credentials", ["client_id": app, "scopes": ["name", "email"]]),
            ofPerson("stop-using", ["client_id": app]),
            ofPerson("forwarding", ["client_id": app, "enabled": .boolean(coin())]),
            ofPerson("password", ["password": .string(oddText())]),
            adding("/authorizations/next", ["person": .string(email())]),
            adding("/mail-sources", ["team_id": team, "domain": "m\u{fc}ll.example"]),
            adding("/clock", ["advance_seconds": .integer(number(100_000) - 40_000)]),
            adding("/faults", ["endpoint": "token", "status": 503, "body": .string(oddText())]),
            adding(
                "/notifications",
                ["type": .string(oddText()), "client_id": app, "sub": .string(oddText())]
            ),
            Request(method: "PATCH", path: "/switches", body: ["issuer": .string(oddText())]),
        ]
        return requests[number(requests.count)]
    }

    private func adding(_ path: String, _ body: JSONObject) -> Request {
        Request(method: "POST", path: path, body: body)
    }

    private mutating func ofPerson(_ action: String, _ body: JSONObject) -> Request {
        adding("/people/\(pathEmail())/\(action)", body)
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
    private mutating func coin() -> Bool { number(2) == 0 }

    private var team: JSONValue {
        mutating get { .string(coin() ? "JUICETEAM1" : "TEAM00000\(number(5))") }
    }

    private var app: JSONValue {
        mutating get { .string(coin() ? "com.example.juice" : "com.example.app\(number(9))") }
    }

    private mutating func email() -> String {
        coin() ? "p\(number(9))@example.com" : "\u{e9}\(number(9))@example.com"
    }

    private mutating func pathEmail() -> String { "p\(number(9))@example.com" }

    private mutating func oddText() -> String {
        let texts = [
            "Maya", "M\u{e4}ya \u{1F34F}", "e\u{301}", "\u{202E}rtl", "\u{FFFE}", "\u{2028}",
            "\"q\"",
            "back\\slash", "a\r\nb", "\u{0}", "", String(repeating: "x", count: 512), "1e400",
        ]
        return texts[number(texts.count)]
    }
}

import AppleIdentity
import Foundation

/// The control port of the emulator that the examined server uses.
struct EmulatedApple: Sendable {
    private let control: URL
    private let client: WebClient
    /// The requests that undo what this run has changed, the first change first.
    private let undoing = LockedValue<[Change]>([])

    /// A request that undoes a change.
    struct Change: Hashable, Sendable {
        fileprivate var method = "DELETE"
        fileprivate let path: String
        fileprivate var body: JSONObject?
    }

    init(control: URL, client: WebClient) {
        self.control = control
        self.client = client
    }

    func add(_ person: CheckPerson) async throws(CheckError) {
        try await add("people", person.object) { _ in "people/\(person.email)" }
    }

    /// Adds an object, and remembers the path at which it is deleted.
    @discardableResult
    private func add(
        _ path: String,
        _ object: JSONObject,
        deletedAt place: @escaping @Sendable (JSONObject) -> String
    ) async throws(CheckError) -> Change {
        try await uninterrupted { () throws(CheckError) in
            remember(Change(path: place(try await call("POST", path, object))))
        }
    }

    private func remember(_ change: Change) -> Change {
        undoing.withLock { $0.append(change) }
        return change
    }

    /// Runs a body to its end, even if the task of the check is cancelled meanwhile.
    private func uninterrupted<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(CheckError) -> Value
    ) async throws(CheckError) -> Value {
        let task = Task { () async -> Result<Value, CheckError> in
            do throws(CheckError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }

    /// Runs a body, and undoes a change afterwards, also if the body throws.
    func during<Value>(
        _ change: Change,
        _ body: () async throws(CheckError) -> Value
    ) async throws(CheckError) -> Value {
        let value: Value
        do throws(CheckError) {
            value = try await body()
        } catch {
            try? await undo(change)
            throw error
        }
        try await undo(change)
        return value
    }

    /// Undoes one change.
    func undo(_ change: Change) async throws(CheckError) {
        try await uninterrupted { () throws(CheckError) in
            try await call(change.method, change.path, change.body)
            undoing.withLock { $0.removeAll { $0 == change } }
        }
    }

    /// Undoes every change of this run, even if its task is cancelled; Apple notifies the server of
    /// each deleted person.
    func undoAll() async {
        let changes = undoing.withLock { changes in
            defer { changes = [] }
            return changes
        }
        // A check may have deleted one of them.
        for change in changes.reversed() { try? await undo(change) }
    }

    /// The app of a client, with its team and notification URL.
    func registration(of clientID: String) async throws(CheckError) -> CheckRegistration {
        let state = try await call("GET", "state")
        func object(_ list: String, _ identifier: String) -> JSONObject? {
            state.objects(list).first { $0["client_id"]?.stringValue == identifier }
        }
        let service = object("services", clientID)
        let primary =
            service?["primary_client_id"]?.stringValue
            ?? object("apps", clientID)?["primary_client_id"]?.stringValue ?? clientID
        guard let app = object("apps", primary), let team = app["team_id"]?.stringValue else {
            throw CheckError(
                "the emulator does not know the client \(clientID)",
                hint: "register it in the seed, exactly as the server sends it"
            )
        }
        return CheckRegistration(
            clientID: clientID,
            primaryID: primary,
            teamID: team,
            notificationURL: app["notification_url"]?.stringValue.flatMap { URL(string: $0) }
        )
    }

    /// Throws if the emulator knows no app with this bundle ID.
    func requireApp(_ bundleID: String) async throws(CheckError) {
        let apps = try await call("GET", "state").objects("apps")
        guard !apps.contains(where: { $0["client_id"]?.stringValue == bundleID }) else { return }
        throw CheckError(
            "the emulator does not know the app \(bundleID)",
            hint: "give --native-client the bundle ID of an app in the seed, not a Services ID"
        )
    }

    func addApp(_ clientID: String, team: String) async throws(CheckError) {
        let app: JSONObject = ["client_id": .string(clientID), "team_id": .string(team)]
        try await add("apps", app) { _ in "apps/\(clientID)" }
    }

    func addService(
        _ clientID: String,
        primary: String,
        returnURL: String
    ) async throws(CheckError) {
        let service: JSONObject = [
            "client_id": .string(clientID), "primary_client_id": .string(primary),
            "return_urls": [.string(returnURL)],
        ]
        try await add("services", service) { _ in "services/\(clientID)" }
    }

    /// The credentials that a device returns to an app.
    func credentials(
        of email: String,
        for app: String,
        nonce: String? = nil,
        switches: JSONObject? = nil
    ) async throws(CheckError) -> JSONObject {
        var body: JSONObject = ["client_id": .string(app), "scopes": ["name", "email"]]
        body["nonce"] = nonce.map { .string($0) }
        body["switches"] = switches.map { .object($0) }
        return try await call("POST", "people/\(email)/credentials", body)
    }

    /// The URL of Apple's port.
    func appleAddress() async throws(CheckError) -> String {
        try await call("GET", "addresses")["apple"]?.stringValue ?? ""
    }

    /// Apple's published keys at the URL of its port.
    func publishedKeys(at address: String) async throws(CheckError) -> [JSONObject] {
        guard let url = URL(string: address + ApplePath.keys) else { return [] }
        let answer = try await client.send(WebRequest(url: url))
        let document = try? JSONObject(parsing: answer.body)
        return document?.objects("keys") ?? []
    }

    /// The state of a user's authorization of an app at Apple: `authorized`, `revoked` and others.
    func credentialState(of email: String, for app: String) async throws(CheckError) -> String? {
        let query = [WebField("client_id", app)].encoded
        let answer = try await call("GET", "people/\(email)/credential-state", query: query)
        return answer["state"]?.stringValue
    }

    /// Lets Apple sign with new keys; the old ones stay published, or are withdrawn.
    func rotateKeys(keepsOld: Bool) async throws(CheckError) {
        try await call("POST", "signing-keys/rotate", ["keep_old": .boolean(keepsOld)])
    }

    /// Changes Apple's behaviour until it is undone.
    func change(_ switches: JSONObject) async throws(CheckError) -> Change {
        let before = try await call("GET", "switches")
        let old = switches.names.map { JSONObject.Member(name: $0, value: before[$0] ?? .null) }
        let change = remember(Change(method: "PATCH", path: "switches", body: JSONObject(old)))
        _ = try await uninterrupted { () throws(CheckError) in
            try await call("PATCH", "switches", switches)
        }
        return change
    }

    /// Lets a path of Apple's port respond with a document.
    func publish(_ document: JSONObject, at path: String) async throws(CheckError) -> Change {
        try await add([
            "endpoint": .string(path), "body": .object(document), "count": 1_000,
        ])
    }

    /// Lets the token endpoint refuse the next request of a client.
    func refuseNextExchange(of clientID: String) async throws(CheckError) -> Change {
        try await add([
            "endpoint": "token", "client_id": .string(clientID), "status": 400,
            "body": ["error": "invalid_grant"], "count": 1,
        ])
    }

    private func add(_ fault: JSONObject) async throws(CheckError) -> Change {
        try await add("faults", fault) { "faults/\($0["id"]?.integerValue ?? 0)" }
    }

    func stopUsing(_ email: String, app: String) async throws(CheckError) {
        try await call("POST", "people/\(email)/stop-using", ["client_id": .string(app)])
    }

    func delete(_ email: String) async throws(CheckError) {
        try await call("DELETE", "people/\(email)")
    }

    /// Lets Apple send a notification, and returns its number.
    @discardableResult
    func notify(_ order: JSONObject) async throws(CheckError) -> Int {
        let answer = try await call("POST", "notifications", order)
        return answer["number"]?.integerValue ?? 0
    }

    func notifications() async throws(CheckError) -> [JSONObject] {
        try await call("GET", "notifications").objects("notifications")
    }

    func lastNotificationNumber() async throws(CheckError) -> Int {
        try await call("GET", "notifications")["last_number"]?.integerValue ?? 0
    }

    /// The reason of Apple's last refusal, for an error.
    func lastRefusal() async -> String? {
        let requests = try? await call("GET", "requests").objects("requests")
        let refusal = requests?.last { $0["reason"]?.stringValue != nil }
        return refusal.map { last in
            ["path", "reason", "hint"].compactMap { last[$0]?.stringValue }.joined(separator: ": ")
        }
    }

    @discardableResult
    private func call(
        _ method: String,
        _ path: String,
        _ body: JSONObject? = nil,
        query: String? = nil
    ) async throws(CheckError) -> JSONObject {
        var components = URLComponents(
            url: control.appending(path: path),
            resolvingAgainstBaseURL: true
        )
        components?.percentEncodedQuery = query
        var request = WebRequest(method: method, url: components?.url ?? control)
        if let body {
            request.body = body.data
            request.fields = [("Content-Type", "application/json")]
        }
        let answer = try await client.send(request)
        guard (200..<300).contains(answer.status) else {
            throw CheckError(
                "the emulator refused \(method) /\(path): \(answer.text.prefix(300))",
                hint: "give the control port of a siwa emulator of this version with --control"
            )
        }
        let limits = JSONLimits(
            maximumByteCount: WebClient.maximumAnswerByteCount,
            maximumMemberCount: 1_000_000
        )
        return (try? JSONObject(parsing: answer.body, limits: limits)) ?? [:]
    }
}

/// The registration of the examined server at the emulator.
struct CheckRegistration: Hashable, Sendable {
    let clientID: String
    let primaryID: String
    let teamID: String
    let notificationURL: URL?

    var hasNotifications: Bool { notificationURL != nil }
}

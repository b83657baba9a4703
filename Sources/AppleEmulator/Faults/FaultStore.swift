import AppleIdentity

/// What shall go wrong at Apple's endpoints, and how often.
struct FaultStore {
    /// How many faults may wait.
    static let maximumFaultCount = 100
    /// The longest wait before an answer, in milliseconds.
    static let maximumDelayMilliseconds = 600_000
    /// The longest body of a broken answer, in bytes.
    static let maximumBodyByteCount = 1_024 * 1_024

    private static let endpoints = [
        "authorize": ApplePath.authorize, "token": ApplePath.token, "revoke": ApplePath.revoke,
        "usermigrationinfo": ApplePath.userMigrationInformation,
        "keys": ApplePath.keys, "discovery": ApplePath.discovery,
    ]

    /// What the endpoints are called.
    static var endpointNames: [String] { endpoints.keys.sorted() }

    private(set) var faults: [Fault] = []

    var objects: [JSONObject] { faults.map(\.object) }

    mutating func clear() { faults = [] }

    /// The path of an endpoint by its name, or by itself; nil for any other.
    static func path(_ endpoint: String) -> String? {
        endpoints[endpoint] ?? (endpoints.values.contains(endpoint) ? endpoint : nil)
    }

    mutating func add(_ fault: Fault) throws(ControlRefusal) -> JSONObject {
        guard faults.count < Self.maximumFaultCount else {
            throw .wrong("count", "can't wait: there are \(Self.maximumFaultCount) faults already")
        }
        faults.append(fault)
        return fault.object
    }

    /// The fault that the next request to a path meets; each is used up in its turn.
    mutating func take(path: String) -> Fault? {
        for index in faults.indices where faults[index].path == path {
            guard faults[index].isMet() else { continue }
            let fault = faults[index]
            faults[index].remainingCount -= 1
            if faults[index].remainingCount == 0 { faults.remove(at: index) }
            return fault
        }
        return nil
    }
}

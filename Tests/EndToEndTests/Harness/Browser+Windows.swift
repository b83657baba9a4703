import AppleIdentity

/// What a person does with more than one window, and a page with its scripts.
extension Browser {
    /// The windows that are open, in no order.
    func windows() async throws -> Set<String> {
        Set(
            (try await command("GET", "/window/handles").arrayValue ?? []).compactMap(\.stringValue)
        )
    }

    /// The window that commands go to.
    func window() async throws -> String {
        try await command("GET", "/window").stringValue ?? ""
    }

    /// Lets commands go to another window.
    func turn(to window: String) async throws {
        _ = try await command("POST", "/window", ["handle": .string(window)])
    }

    /// Closes the window that commands go to.
    func closeWindow() async throws {
        _ = try await command("DELETE", "/window")
    }

    /// Waits for a window that is not among these.
    func newWindow(besides known: Set<String>) async throws -> String {
        try await waitUntil("a window shall open") { try await windows().subtracting(known).first }
    }

    /// Runs a script in the page; it has no press of a person's behind it.
    @discardableResult
    func run(_ script: String) async throws -> JSONValue {
        let body: JSONObject = ["script": .string(script), "args": []]
        return try await command("POST", "/execute/sync", body)
    }

    /// Presses a key, named by its code point, where the focus is.
    func pressKey(_ key: String) async throws {
        let strokes: JSONValue = [
            ["type": "keyDown", "value": .string(key)], ["type": "keyUp", "value": .string(key)],
        ]
        let source: JSONValue = ["type": "key", "id": "keyboard", "actions": strokes]
        _ = try await command("POST", "/actions", ["actions": .array([source])])
    }
}

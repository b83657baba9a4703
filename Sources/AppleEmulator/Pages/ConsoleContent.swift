/// What the console's template needs to know.
struct ConsoleContent {
    /// The values it shows.
    let values: [String: Any]

    init(page: ConsolePage, frame: PageFrame) {
        values = [
            "language": frame.language,
            "title": "Emulator of Apple",
            "styleSheet": PageTemplates.styleSheet,
            "appleURL": page.appleURL,
            "clock": page.clock,
            "hasPeople": !page.people.isEmpty,
            "people": page.people.map(Self.values),
            "hasClients": !page.clients.isEmpty,
            "clients": page.clients.map(Self.values),
            "hasRequests": !page.requests.isEmpty,
            "requests": page.requests.map(Self.values),
        ]
    }

    private static func values(of person: ConsolePage.Person) -> [String: Any] {
        [
            "email": person.email, "name": person.name,
            "twoFactor": person.usesTwoFactor ? "yes" : "no",
        ]
    }

    private static func values(of client: ConsolePage.Client) -> [String: Any] {
        [
            "clientID": client.clientID, "kind": client.kind, "name": client.name,
            "owner": client.owner, "returnURLs": client.returnURLs.joined(separator: ", "),
        ]
    }

    private static func values(of request: ConsolePage.LoggedRequest) -> [String: Any] {
        [
            "number": request.number, "method": request.method, "path": request.path,
            "status": request.status.map { String($0) } ?? "closed",
            "isRefused": request.status.map { $0 >= 400 } ?? true,
            "clientID": request.clientID, "reason": request.reason,
        ]
    }
}

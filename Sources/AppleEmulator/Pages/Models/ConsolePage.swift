/// The index of the control port: who and what this emulator knows, and what it was asked last.
package struct ConsolePage: Sendable {
    /// A person, as the table shows one.
    package struct Person: Sendable {
        package var email: String
        package var name: String
        package var usesTwoFactor: Bool

        package init(email: String, name: String, usesTwoFactor: Bool) {
            self.email = email
            self.name = name
            self.usesTwoFactor = usesTwoFactor
        }
    }

    /// An app or a Services ID, as the table shows one.
    package struct Client: Sendable {
        package var clientID: String
        package var kind: String
        package var name: String
        package var owner: String
        package var returnURLs: [String]

        package init(
            clientID: String,
            kind: String,
            name: String,
            owner: String,
            returnURLs: [String]
        ) {
            self.clientID = clientID
            self.kind = kind
            self.name = name
            self.owner = owner
            self.returnURLs = returnURLs
        }
    }

    /// One request to Apple's port, as the table shows one.
    package struct LoggedRequest: Sendable {
        package var number: Int
        package var method: String
        package var path: String
        /// The status; nil when the connection was closed without an answer.
        package var status: Int?
        package var clientID: String
        package var reason: String

        package init(
            number: Int,
            method: String,
            path: String,
            status: Int?,
            clientID: String,
            reason: String
        ) {
            self.number = number
            self.method = method
            self.path = path
            self.status = status
            self.clientID = clientID
            self.reason = reason
        }
    }

    /// Where Apple's port listens.
    package var appleURL: String
    /// What Apple's clock shows.
    package var clock: String
    package var people: [Person]
    package var clients: [Client]
    /// The last requests, newest first.
    package var requests: [LoggedRequest]

    package init(
        appleURL: String,
        clock: String,
        people: [Person],
        clients: [Client],
        requests: [LoggedRequest]
    ) {
        self.appleURL = appleURL
        self.clock = clock
        self.people = people
        self.clients = clients
        self.requests = requests
    }
}

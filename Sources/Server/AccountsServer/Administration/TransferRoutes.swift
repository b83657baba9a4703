import Accounts
import AppleIdentity
import Hummingbird
import SignInWithAppleHummingbird

/// The routes of `siwa users transfer`; the command itself sends the requests to Apple.
struct TransferRoutes: Sendable {
    /// The maximum length of an identifier in Apple's tokens, in bytes.
    static let maximumIdentifierByteCount = 255

    let accounts: AccountsService
    let time: TimeSource

    func add(to router: Router<BasicRequestContext>) {
        router.get("transfers") { request, _ in try await list(request) }
        router.post("transfers/runs") { request, _ in try await record(request) }
        router.post("transfers") { request, _ in try await begin(request) }
        router.post("transfers/arrivals") { request, _ in try await arrive(request) }
    }

    private func list(_ request: Request) async throws -> Response {
        let after = try request.uri.queryParameters["after"]
            .map { try Self.checked("after", String($0)) }
        // Further pages of a list belong to the same command.
        if after == nil {
            try await accounts.recordAdministration(
                .accountsListed,
                by: AdministrationRoutes.administrator(of: request)
            )
        }
        let states = try await accounts.transferStates(after: after.map(AccountID.init(rawValue:)))
        let isEnd = states.count < AccountsService.maximumTransferStateCount
        return .json([
            "people": .array(states.map { .object(Self.document($0)) }),
            "next": .text(isEnd ? nil : states.last?.account.rawValue),
        ])
    }

    /// Records that a command is about to send users' identifiers to Apple.
    private func record(_ request: Request) async throws -> Response {
        let fields = try await AdministrationRoutes.fields(
            of: request,
            ["kind", "team", "count"],
            time
        )
        let actions: [String: AuditAction] = [
            "export": .transferExported, "import": .transferImported,
        ]
        guard let action = actions[try fields.text("kind")] else {
            throw ServerError.parameter("kind", "export or import")
        }
        guard let count = fields.object["count"]?.integerValue, count >= 0 else {
            throw ServerError.parameter("count", "the number of users")
        }
        try await accounts.recordAdministration(
            action,
            by: AdministrationRoutes.administrator(of: request),
            detail: "\(try team(in: fields)) \(count)"
        )
        return .json([:])
    }

    private func team(in fields: JSONFields) throws -> TeamID {
        let team = TeamID(try fields.text("team"))
        guard team.isWellFormed else {
            throw ServerError.parameter("team", "ten capital letters or digits")
        }
        return team
    }

    private func begin(_ request: Request) async throws -> Response {
        let names = ["issuer", "user", "identifier", "team"]
        let fields = try await AdministrationRoutes.fields(of: request, names, time)
        let team = try team(in: fields)
        let step = AppleTransferStep.begin(
            ApplePerson(
                issuer: try fields.text("issuer"),
                user: UserID(try Self.checked("user", fields.text("user")))
            ),
            identifier: UserID(try Self.checked("identifier", fields.text("identifier"))),
            team: team
        )
        return try await answer(step, request)
    }

    private func arrive(_ request: Request) async throws -> Response {
        let names = ["issuer", "identifier", "user", "email"]
        let fields = try await AdministrationRoutes.fields(of: request, names, time)
        let email = try fields.optionalText("email")
        guard email.map({ $0.utf8.count <= EmailAddressForm.maximumByteCount }) ?? true else {
            throw ServerError.parameter("email", "an email address")
        }
        let step = AppleTransferStep.arrive(
            identifier: ApplePerson(
                issuer: try fields.text("issuer"),
                user: UserID(try Self.checked("identifier", fields.text("identifier")))
            ),
            as: UserID(try Self.checked("user", fields.text("user"))),
            // Apple gives the receiving team only relay addresses.
            email: email.map { EmailAddress(text: $0, isVerified: true, isPrivateRelay: true) }
        )
        return try await answer(step, request)
    }

    private func answer(_ step: AppleTransferStep, _ request: Request) async throws -> Response {
        let administrator = AdministrationRoutes.administrator(of: request)
        let outcome = try await accounts.transfer(step, by: administrator)
        return .json(["outcome": .string(outcome.rawValue)])
    }

    private static func checked(_ name: String, _ text: String) throws -> String {
        guard (1...Self.maximumIdentifierByteCount).contains(text.utf8.count) else {
            throw ServerError.parameter(
                name,
                "1 to \(Self.maximumIdentifierByteCount) bytes long"
            )
        }
        return text
    }

    private static func document(_ state: AppleTransferState) -> JSONObject {
        var document: JSONObject = [
            "id": .string(state.account.rawValue), "issuer": .string(state.person.issuer),
            "user": .string(state.person.user.rawValue),
            "clientId": .string(state.clientID.rawValue),
        ]
        if let transfer = state.transfer {
            document["transfer"] = [
                "identifier": .string(transfer.identifier.user.rawValue),
                "team": .string(transfer.team.rawValue),
            ]
        }
        return document
    }
}

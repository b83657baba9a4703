import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import OpenAPIDescription
import SignInWithApple

/// The JSON routes of the signed-in account.
struct AccountRoutes: Sendable {
    static let path = "/api/account"

    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, Self.path, as: Self.showing, show),
            Route(.patch, Self.path, as: Self.change, change),
            Route(.delete, Self.path, as: Self.deletion, delete),
            Route(.delete, "\(Self.path)/apple", as: Self.unlinking, unlink),
            Route(.get, "\(Self.path)/apple/credential-state", as: Self.state, credentialState),
            Route(.get, "\(Self.path)/export", as: Self.export, export),
        ]
    }

    /// Returns the document of ``show(_:)`` if the session is in memory.
    @Sendable func rememberedDocument(_ request: Request) -> ByteBuffer? {
        server.authenticator.rememberedSession(of: request).map(Self.document)
    }

    private func show(_ request: Request) async throws -> Response {
        .json(Self.document(of: try await server.authenticator.session(of: request)))
    }

    private func change(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        let change = try Self.profileChange(await server.fields(of: request, Self.change))
        let account = try await server.accounts.changeProfile(change, requestedBy: caller.session)
        return .json(Self.document(account))
    }

    /// Reads a change; a missing member stays as it is, and null removes it.
    private static func profileChange(_ fields: JSONFields) throws -> ProfileChange {
        let change = ProfileChange(name: try nameChange(fields))
        guard change != ProfileChange() else { throw RefusedSignIn.missingField("name") }
        return change
    }

    private static func nameChange(_ fields: JSONFields) throws -> NameChange? {
        let name = try fields.textChange("name")
        let givenName = try fields.textChange("givenName")
        let familyName = try fields.textChange("familyName")
        guard givenName != nil || familyName != nil else { return name.map { .whole($0) } }
        guard name == nil else {
            throw JSONFieldError.wrongType(
                "name",
                expected: "absent when givenName or familyName is sent"
            )
        }
        return .parts(givenName: givenName, familyName: familyName)
    }

    private func delete(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        try await server.accounts.deleteAccount(
            caller.session,
            of: caller.account,
            client: server.client(of: request, context)
        )
        return Response(status: .noContent)
    }

    private func unlink(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        let account = try await server.accounts.unlinkApple(
            requestedBy: caller.session,
            client: server.client(of: request, context)
        )
        return .json(Self.document(account))
    }

    private func credentialState(_ request: Request) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        let state = try await server.accounts.credentialState(of: caller.account)
        return .json(["state": .string(state.rawValue)])
    }

    private func export(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try await server.authenticator.session(of: request)
        let export = try await server.accounts.export(
            of: caller.session,
            client: server.client(of: request, context)
        )
        return .json(ExportDocument(export, requestedBy: caller.session).object)
    }

    private static func document(of session: SignedInSession) -> ByteBuffer {
        ByteBuffer(bytes: session.document { JSONValue.object(document($0)).bytes })
    }

    /// The account as a JSON object; unknown members are null, never missing.
    static func document(_ account: Account) -> JSONObject { members.document(of: account) }
}

extension AccountRoutes {
    /// What the API, the export and the administration show of an account.
    static let members: [DocumentMember<Account>] = [
        DocumentMember("id", .text()) { .string($0.id.rawValue) },
        DocumentMember("name", .text("The full name, for display; Apple sends it once.").orNull) {
            .text($0.name?.text)
        },
        DocumentMember("givenName", partialName) { .text($0.name?.givenName) },
        DocumentMember("familyName", partialName) { .text($0.name?.familyName) },
        DocumentMember("email", .text().orNull) { .text($0.email?.text) },
        DocumentMember("pendingEmail", pendingEmail) { .text($0.pendingEmail?.address) },
        DocumentMember("emailIsVerified", .flag()) { .boolean($0.email?.isVerified ?? false) },
        DocumentMember(
            "emailIsPrivateRelay",
            .flag("Whether it is a private relay address of Apple.")
        ) { .boolean($0.email?.isPrivateRelay ?? false) },
        DocumentMember("emailDeliverable", .flag("Whether email is expected to arrive.")) {
            .boolean($0.emailDeliverable)
        },
        DocumentMember("username", .text("Null if the account has no password.").orNull) {
            .text($0.username)
        },
        DocumentMember("apple", Schema.named(.appleLink).orNull) {
            $0.apple.map { .object(linkMembers.document(of: $0)) } ?? .null
        },
        DocumentMember("appleLinkRemains", linkRemains) { .boolean($0.appleLinkRemains) },
        DocumentMember("createdAt", .time) { .time($0.createdAt) },
    ]

    static let linkMembers: [DocumentMember<AppleLink>] = [
        DocumentMember("user", .text("Apple's identifier of the user, specific to the team.")) {
            .string($0.person.user.rawValue)
        },
        DocumentMember("clientId", .text()) { .string($0.clientID.rawValue) },
        DocumentMember("linkedAt", .time) { .time($0.linkedAt) },
        DocumentMember("revokedAt", Schema.time.orNull) { .optionalTime($0.revokedAt) },
    ]

    private static let partialName = Schema.text("Null if unknown, or if only `name` was set.")
        .orNull
    private static let pendingEmail = Schema.text(
        "To be confirmed with the emailed link; kept after the link has expired."
    ).orNull
    private static let linkRemains = Schema.flag(
        "Whether deleting the account leaves the link at Apple, because no token is stored."
    )
}

extension AccountRoutes {
    private static let showing = Operation(
        id: "getAccount",
        group: .account,
        summary: "The signed-in account",
        access: .session,
        answer: .ok("The account.", .named(.account))
    )

    private static let change = Operation(
        id: "changeAccount",
        group: .account,
        summary: "Change the name",
        access: .session,
        fields: [
            .optional("name", .name("The full name; null removes it.").orNull),
            .optional("givenName", namePart.orNull), .optional("familyName", namePart.orNull),
        ],
        rules: [
            "minProperties": 1,
            "not": [
                "required": ["name"],
                "anyOf": [["required": ["givenName"]], ["required": ["familyName"]]],
            ],
        ],
        answer: .ok("The account.", .named(.account)),
        refusals: [.nameTooLong, .nameEmpty]
    )

    private static let namePart = Schema.namePart("Not allowed with name; unchanged if missing.")

    private static let deletion = Operation(
        id: "deleteAccount",
        group: .account,
        summary: "Delete the account and revoke its tokens at Apple",
        access: .session,
        answer: .done("Deleted."),
        refusals: [.recentSignInRequired]
    )

    private static let unlinking = Operation(
        id: "unlinkApple",
        group: .account,
        summary: "Unlink the Apple Account and revoke its tokens at Apple",
        access: .session,
        answer: .ok("The account.", .named(.account)),
        refusals: [.recentSignInRequired, .appleNotLinked, .lastWayIn]
    )

    private static let state = Operation(
        id: "getCredentialState",
        group: .account,
        summary: "The state of the link with Apple",
        access: .session,
        answer: .ok(
            "The state.",
            .object([.required("state", .word(CredentialState.allCases.map(\.rawValue)))])
        )
    )

    private static let export = Operation(
        id: "exportAccount",
        group: .account,
        summary: "All data stored about the user",
        access: .session,
        answer: .ok("The data.", .named(.export))
    )
}

extension JSONValue {
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// Created once, because its creation takes half as long as its use.
    private static let timeForm = Date.ISO8601FormatStyle.iso8601

    /// A time in ISO 8601, in UTC.
    static func time(_ date: Date) -> JSONValue { .string(timeForm.format(date)) }
}

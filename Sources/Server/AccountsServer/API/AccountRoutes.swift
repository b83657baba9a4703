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
        let fields = try await server.fields(of: request, Self.change)
        return .json(Self.document(try await rename(by: fields, caller)))
    }

    /// Sets the full name or its parts; a missing part stays unchanged.
    private func rename(by fields: JSONFields, _ caller: SignedInSession) async throws -> Account {
        let (object, session) = (fields.object, caller.session)
        guard object["givenName"] != nil || object["familyName"] != nil else {
            guard object["name"] != nil else { throw RefusedSignIn.missingField("name") }
            let name = try fields.optionalText("name")
            return try await server.accounts.rename(to: name, requestedBy: session)
        }
        guard object["name"] == nil else {
            throw JSONFieldError.wrongType(
                "name",
                expected: "absent when givenName or familyName is sent"
            )
        }
        func part(_ name: String) throws -> String?? {
            object[name] == nil ? .none : .some(try fields.optionalText(name))
        }
        let parts = NameChange.parts(
            givenName: try part("givenName"),
            familyName: try part("familyName")
        )
        return try await server.accounts.rename(parts, requestedBy: session)
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
    static func document(_ account: Account) -> JSONObject {
        [
            "id": .string(account.id.rawValue),
            "name": .text(account.name?.text),
            "givenName": .text(account.name?.givenName),
            "familyName": .text(account.name?.familyName),
            "email": .text(account.email?.text),
            "pendingEmail": .text(account.pendingEmail?.address),
            "emailIsVerified": .boolean(account.email?.isVerified ?? false),
            "emailIsPrivateRelay": .boolean(account.email?.isPrivateRelay ?? false),
            "emailDeliverable": .boolean(account.emailDeliverable),
            "username": .text(account.username),
            "apple": account.apple.map { .object(document($0)) } ?? .null,
            "appleLinkRemains": .boolean(account.appleLinkRemains),
            "createdAt": .time(account.createdAt),
        ]
    }

    private static func document(_ link: AppleLink) -> JSONObject {
        [
            "user": .string(link.person.user.rawValue),
            "clientId": .string(link.clientID.rawValue),
            "linkedAt": .time(link.linkedAt),
            "revokedAt": link.revokedAt.map { .time($0) } ?? .null,
        ]
    }
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
        id: "changeName",
        group: .account,
        summary: "Change the name",
        access: .session,
        fields: [
            .optional("name", .name("The full name; null removes it.").orNull),
            .optional("givenName", namePart.orNull), .optional("familyName", namePart.orNull),
        ],
        rules: [
            "oneOf": [
                ["required": ["name"]],
                ["anyOf": [["required": ["givenName"]], ["required": ["familyName"]]]],
            ]
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

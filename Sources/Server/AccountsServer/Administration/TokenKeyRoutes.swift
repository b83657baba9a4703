import Accounts
import AppleIdentity
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird

/// The routes that list and rotate the keys of access tokens.
struct TokenKeyRoutes: Sendable {
    let accounts: AccountsService
    let time: TimeSource

    func add(to router: Router<BasicRequestContext>) {
        router.get("keys") { _, _ in
            Response.json(document(try await accounts.storedTokenKeys()))
        }
        router.post("keys/rotate") { request, _ in try await rotate(request) }
    }

    private func rotate(_ request: Request) async throws -> Response {
        let names = ["immediately"] + SealingOrder.members
        let fields = try await AdministrationRoutes.fields(of: request, names, time)
        let isImmediate = try fields.optionalBoolean("immediately") ?? false
        let lost = try await SealingOrder(fields).check(accounts)
        let outcome = try await accounts.rotateTokenKeys(
            immediately: isImmediate,
            by: AdministrationRoutes.administrator(of: request)
        )
        switch outcome {
        case .keys(let keys):
            var document = document(keys)
            document["lostSecrets"] = .integer(lost.count)
            document["lostTokens"] = .integer(lost.refreshTokenCount)
            return .json(document)
        case .waiting(let start): throw ServerError.rotationWaiting(until: start)
        }
    }

    private func document(_ keys: [TokenKey]) -> JSONObject {
        let now = time.now
        let signing = keys.signing(at: now)
        let documents = keys.published(at: now).map { key -> JSONValue in
            let state =
                key == signing ? "signs" : key.publishedUntil == nil ? "waits" : "verifies"
            return .object([
                "id": .string(key.id), "state": .string(state),
                "createdAt": .time(key.createdAt), "signsFrom": .time(key.signsFrom),
                "publishedUntil": key.publishedUntil.map { .time($0) } ?? .null,
            ])
        }
        return ["keys": .array(documents)]
    }
}

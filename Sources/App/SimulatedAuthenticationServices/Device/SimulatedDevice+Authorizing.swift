import AppleIdentity
import Foundation

/// The execution of a controller's requests.
extension SimulatedDevice {
    func authorize(_ order: AuthorizationOrder) async -> AuthorizationOutcome {
        guard let run = begin() else {
            return .failure(.init(.failed, because: "Another sheet of this app is already open."))
        }
        defer { end(run) }
        // A cancelled run frees the screen at once, even while the sheet waits for an answer.
        return await withTaskCancellationHandler {
            do throws(ASAuthorizationError) {
                return .success(try await content(for: order))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            end(run)
        }
    }

    /// Reserves the screen for a run; nil while another one has it.
    private func begin() -> Int? {
        state.withLock { state in
            guard state.openRun == nil else { return nil }
            state.lastRun += 1
            state.openRun = state.lastRun
            return state.lastRun
        }
    }

    private func end(_ run: Int) {
        state.withLock { if $0.openRun == run { $0.openRun = nil } }
    }

    private func content(
        for order: AuthorizationOrder
    ) async throws(ASAuthorizationError) -> AuthorizedContent {
        let switches = switches
        if order.isUnhandled { throw ASAuthorizationError(.notHandled) }
        if !switches.isInteractive { throw ASAuthorizationError(.notInteractive) }
        if order.apple != nil, switches.lacksEntitlement { throw .noEntitlement }
        do {
            try await time.sleep(for: switches.delay)
        } catch {
            throw ASAuthorizationError(.canceled)
        }
        let offer = try await offer(for: order, switches)
        let answer = try await answer(to: offer.sheet)
        if Task.isCancelled { throw ASAuthorizationError(.canceled) }
        return try await perform(answer, order, offer, switches)
    }

    private func perform(
        _ answer: SheetAnswer,
        _ order: AuthorizationOrder,
        _ offer: DeviceOffer,
        _ switches: DeviceSwitches
    ) async throws(ASAuthorizationError) -> AuthorizedContent {
        switch answer {
        case .cancel: throw ASAuthorizationError(.canceled)
        case .fail(let code): throw ASAuthorizationError(code)
        case .refuseFace: throw .unrecognizedFace
        case .continue where switches.refusesFace, .usePassword where switches.refusesFace,
            .usePasswordOf where switches.refusesFace:
            throw .unrecognizedFace
        case .usePassword: return try password(of: offer.sheet.passwordUsers.first)
        case .usePasswordOf(let user): return try password(of: user)
        case .continue(let name, let email):
            guard let account = offer.account, let apple = order.apple else {
                return try password(of: offer.sheet.passwordUsers.first)
            }
            return .apple(try await credential(of: account, apple, name, email, switches))
        }
    }

    private func password(of user: String?) throws(ASAuthorizationError) -> AuthorizedContent {
        let stored = state.withLock { $0.passwords.first { $0.user == user } }
        guard let stored else {
            throw .init(.failed, because: "The device has no such saved password.")
        }
        return .password(user: stored.user, password: stored.password)
    }

    private func credential(
        of account: DeviceAccount,
        _ order: AuthorizationOrder.Apple,
        _ name: PersonName?,
        _ email: EmailChoice,
        _ switches: DeviceSwitches
    ) async throws(ASAuthorizationError) -> AppleIDCredentialContent {
        let isFirst = account.app?.isUsed == false
        let request = CredentialRequest(
            app: app,
            order: order,
            name: isFirst && order.asksName ? name : nil,
            email: isFirst && order.asksEmail ? email : .share
        )
        var content = try await content(for: account.email, request.object)
        content.userAgeRange = switches.userAgeRange
        content.authorizedScopes = !isFirst && switches.laterScopesAreEmpty ? [] : order.scopes
        if !isFirst, switches.laterName == .empty { content.fullName = PersonNameComponents() }
        remember(content.user)
        return content
    }

    private func content(
        for email: String,
        _ request: JSONObject
    ) async throws(ASAuthorizationError) -> AppleIDCredentialContent {
        let answer: JSONObject
        do throws(SimulatedAppleError) {
            answer = try await service.perform(.credential(request), of: email)
        } catch {
            throw .init(error)
        }
        do throws(JSONFieldError) {
            return try AppleIDCredentialContent(answer)
        } catch {
            throw .init(.invalidResponse, because: "The credential is incomplete: \(error).")
        }
    }
}

/// The body of a request for a credential.
private struct CredentialRequest {
    let app: ClientID
    let order: AuthorizationOrder.Apple
    let name: PersonName?
    let email: EmailChoice

    var object: JSONObject {
        var scopes: [JSONValue] = []
        if order.asksName { scopes.append(.string(Scope.name.rawValue)) }
        if order.asksEmail { scopes.append(.string(Scope.email.rawValue)) }
        var object: JSONObject = ["client_id": .string(app.rawValue), "scopes": .array(scopes)]
        object["nonce"] = order.nonce.map { .string($0) }
        object["state"] = order.state.map { .string($0) }
        object["name"] = name.map { .object($0.object) }
        switch email {
        case .share: break
        case .other(let address): object["shared_email"] = .string(address)
        case .hide: object["email"] = "hide"
        }
        return object
    }
}

extension PersonName {
    package var object: JSONObject {
        var object = JSONObject()
        object["given_name"] = givenName.map { .string($0) }
        object["family_name"] = familyName.map { .string($0) }
        return object
    }
}

extension ASAuthorizationError {
    fileprivate static let unrecognizedFace = ASAuthorizationError(
        .failed,
        because: "The camera did not recognize the user."
    )

    init(_ error: SimulatedAppleError) {
        switch error {
        // The capability is missing: the app is not registered in the developer's account.
        case .refused(_, "client_id", let message): self.init(.unknown, because: message)
        case .refused(_, _, let message): self.init(.failed, because: message)
        case .unreachable: self.init(.failed, because: SimulatedDeviceError(error).description)
        case .unreadable:
            self.init(.invalidResponse, because: SimulatedDeviceError(error).description)
        }
    }
}

/// The sheet and the account that a device offers for a controller's requests.
struct DeviceOffer: Sendable {
    var sheet: AuthorizationSheet
    /// The Apple Account; nil if it is not offered.
    var account: DeviceAccount?
}

extension SimulatedDevice {
    /// Finds the account or the passwords that can be offered.
    func offer(
        for order: AuthorizationOrder,
        _ switches: DeviceSwitches
    ) async throws(ASAuthorizationError) -> DeviceOffer {
        let users = order.asksPassword ? state.withLock { $0.passwords.map(\.user) } : []
        guard let apple = order.apple else { return try passwordOffer(users, order, switches) }
        // Together with a password request, or if only available credentials are requested, the
        // account is offered only if it already uses the app.
        let isQuiet = order.asksPassword || order.isImmediate
        guard let account = try await usableAccount(switches, isQuiet: isQuiet),
            account.app?.isUsed == true || !isQuiet
        else { return try passwordOffer(users, order, switches) }
        return DeviceOffer(sheet: sheet(for: account, apple, users), account: account)
    }

    private func passwordOffer(
        _ users: [String],
        _ order: AuthorizationOrder,
        _ switches: DeviceSwitches
    ) throws(ASAuthorizationError) -> DeviceOffer {
        guard !users.isEmpty else {
            throw order.isImmediate
                ? .nothingAvailable : ASAuthorizationError(switches.nothingStoredCode)
        }
        var sheet = AuthorizationSheet(kind: .password, app: app, appName: app.rawValue)
        sheet.passwordUsers = users
        return DeviceOffer(sheet: sheet, account: nil)
    }

    /// The account that can sign in; nil if there is none and `isQuiet` suppresses the error.
    private func usableAccount(
        _ switches: DeviceSwitches,
        isQuiet: Bool
    ) async throws(ASAuthorizationError) -> DeviceAccount? {
        guard let account = try await signedInAccount() else {
            if isQuiet { return nil }
            await show(.noAppleAccount)
            throw ASAuthorizationError(switches.noAccountCode)
        }
        guard switches.hasTwoFactor ?? account.hasTwoFactor else {
            if isQuiet { return nil }
            await show(.noTwoFactor)
            throw .noTwoFactor
        }
        return account
    }

    private func signedInAccount() async throws(ASAuthorizationError) -> DeviceAccount? {
        guard let email = account else { return nil }
        do throws(SimulatedAppleError) {
            let object = try await service.perform(.account(app: app), of: email)
            return try Self.account(object)
        } catch {
            // The account has been deleted, for example in the console.
            if error.isUnknownPerson { return nil }
            throw ASAuthorizationError(error)
        }
    }

    private func show(_ alert: SystemAlert) async {
        let presenter = state.withLock { state in
            state.alerts.append(alert)
            return state.presenter
        }
        await presenter?.show(alert)
    }

    private func sheet(
        for account: DeviceAccount,
        _ order: AuthorizationOrder.Apple,
        _ users: [String]
    ) -> AuthorizationSheet {
        let isUsed = account.app?.isUsed == true
        var sheet = AuthorizationSheet(
            kind: !isUsed ? .firstTime : users.isEmpty ? .again : .appleOrPassword,
            app: app,
            appName: account.app?.name ?? app.rawValue,
            developer: account.app?.developer ?? "",
            account: account.email
        )
        sheet.passwordUsers = users
        guard !isUsed else { return sheet }
        sheet.asksName = order.asksName
        sheet.asksEmail = order.asksEmail && !account.addresses.isEmpty
        sheet.name = account.name
        sheet.addresses = account.addresses
        sheet.canHideEmail = sheet.asksEmail && !account.isManaged
        return sheet
    }

    /// Returns the next answer of the script, or the presenter's.
    func answer(to sheet: AuthorizationSheet) async throws(ASAuthorizationError) -> SheetAnswer {
        let (scripted, presenter) = state.withLock { state in
            state.sheets.append(sheet)
            let scripted = state.script.isEmpty ? nil : state.script.removeFirst()
            return (scripted, state.presenter)
        }
        if let scripted { return scripted }
        guard let presenter else {
            throw .init(
                .failed,
                because: "The device has no answer for its sheet: call script() with an answer, or"
                    + " set sheet to a presenter."
            )
        }
        return await presenter.present(sheet)
    }
}

import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignedTokens

extension EmulatorState {
    /// Handles a request to the account page; nil for another path.
    mutating func account(
        _ request: HTTPRequest,
        path: String,
        query: String,
        body: Data
    ) -> Outcome? {
        guard let route = AccountRoute(rawValue: path) else { return nil }
        guard route.answers(request.method) else {
            return .methodNotAllowed(request, allowed: route.allowed)
        }
        let visit = AccountVisit(request, in: self)
        do throws(OAuthRefusal) {
            guard request.method == .post else {
                return try show(route, FormFields(parsing: query.utf8), to: visit)
            }
            try visit.checkOrigin()
            try checkSite(of: request)
            return try handle(route, form(request, body: body), from: visit)
        } catch {
            let content = AppleAccountPage.Content.failure(
                error.problem ?? .notUnderstood,
                reason: error.reason
            )
            return accountPage(content, to: visit, status: error.status, reason: error.reason)
        }
    }

    private mutating func show(
        _ route: AccountRoute,
        _ fields: FormFields,
        to visit: AccountVisit
    ) throws(OAuthRefusal) -> Outcome {
        let notice = fields[AccountNotice.parameter].flatMap { AccountNotice(rawValue: $0) }
        guard let person = visit.person else {
            guard route == .overview else { return Self.toAccount() }
            return begin(.account, at: .signIn, for: visit.request, notice: notice)
        }
        switch route {
        case .app:
            let app = try accountApp(fields, of: person)
            return accountPage(.app(app, of: AccountHolder(person)), to: visit, notice: notice)
        case .stopUsing:
            return accountPage(.stopUsing(try accountApp(fields, of: person)), to: visit)
        case .delete: return accountPage(deletion(of: person), to: visit)
        case .overview, .signIn, .twoFactor, .signOut, .forwarding, .forwardTo:
            let apps = AccountApp.all(of: person, in: registry)
            let content = AppleAccountPage.Content.overview(AccountHolder(person), apps: apps)
            return accountPage(content, to: visit, notice: notice)
        }
    }

    private mutating func handle(
        _ route: AccountRoute,
        _ fields: FormFields,
        from visit: AccountVisit
    ) throws(OAuthRefusal) -> Outcome {
        guard route != .signIn, route != .twoFactor else {
            return try carryOn(route, fields, from: visit)
        }
        // Without a session the sign-in form is shown, and the form has no effect.
        guard let person = visit.person else { return Self.toAccount() }
        try visit.checkToken(in: fields)
        switch route {
        case .signOut: return ending(visit, .signedOut)
        case .stopUsing: return try stopUsing(fields, person)
        case .forwarding: return try switchForwarding(fields, person)
        case .forwardTo: return try chooseForwardingAddress(fields, person)
        case .delete: return try deleteAccount(fields, person, visit)
        case .overview, .app, .signIn, .twoFactor: return Self.toAccount()
        }
    }

    /// Continues the transaction by the rules of the sheet.
    private mutating func carryOn(
        _ route: AccountRoute,
        _ fields: FormFields,
        from visit: AccountVisit
    ) throws(OAuthRefusal) -> Outcome {
        let form = SignInForm(fields: fields, request: visit.request)
        let transaction = try transaction(of: form)
        guard transaction.purpose.request == nil else {
            throw .account(.signInOver, "the transaction belongs to a sign-in to an app")
        }
        let pressed = fields["action"].flatMap { $0.hasPrefix(SheetPage.enterAction) ? $0 : nil }
        let action = route == .signIn ? pressed ?? "sign-in" : "two-factor"
        return try signIn(action, form, in: transaction)
            ?? again(
                transaction,
                form,
                .stepNotPossible,
                reason: "the form does not match the current step of the sign-in"
            )
    }

    /// The app group of any of its clients in a request.
    func accountApp(_ fields: FormFields, of person: Person) throws(OAuthRefusal) -> AccountApp {
        let group = fields["client_id"].flatMap { registry.client(ClientID($0))?.group }
        guard let app = group.flatMap({ AccountApp($0, of: person, in: registry) }) else {
            let reason = "client_id is not an app that \(person.account.email) uses"
            throw .account(.unknownApp, reason, status: .notFound)
        }
        return app
    }

    func deletion(of person: Person) -> AppleAccountPage.Content {
        .delete(AccountHolder(person), apps: AccountApp.all(of: person, in: registry))
    }

    /// A page of a session; with a reason, it is an error in the log.
    func accountPage(
        _ content: AppleAccountPage.Content,
        to visit: AccountVisit,
        status: HTTPResponse.Status = .ok,
        notice: AccountNotice? = nil,
        problem: PageProblem? = nil,
        reason: String? = nil
    ) -> Outcome {
        let page = AppleAccountPage(
            content: content,
            token: visit.person == nil ? "" : visit.formToken,
            notice: notice,
            problem: problem
        )
        let error = reason == nil ? nil : OAuthErrorResponse.Code.account.rawValue
        return .page(.account(page), status: status, remark: Remark(error: error, reason: reason))
    }

    /// Redirects after a form, so reloading the page does not send the form again.
    static func toAccount(_ notice: AccountNotice? = nil) -> Outcome {
        let query = notice.map { "?\(AccountNotice.parameter)=\($0.rawValue)" } ?? ""
        return .redirect(to: AccountRoute.overview.rawValue + query, status: .seeOther)
    }
}

/// Actions on the account page, with the same effects as the control API's, and notifications.
extension EmulatorState {
    mutating func stopUsing(
        _ fields: FormFields,
        _ person: Person
    ) throws(OAuthRefusal) -> Outcome {
        let app = try accountApp(fields, of: person)
        try Self.apply(.unknownApp) {
            try stopUsing(person.account.email, clientID: app.group.rawValue)
        }
        return done(.stopped, app)
    }

    mutating func switchForwarding(
        _ fields: FormFields,
        _ person: Person
    ) throws(OAuthRefusal) -> Outcome {
        let app = try accountApp(fields, of: person)
        let isEnabled: Bool
        switch fields["enabled"] {
        case "true": isEnabled = true
        case "false": isEnabled = false
        default: throw .account(.notUnderstood, "enabled is neither true nor false")
        }
        let email = person.account.email
        try Self.apply(.noRelayAddress) {
            try setForwarding(email, clientID: app.group.rawValue, isEnabled: isEnabled)
        }
        return done(isEnabled ? .forwardingOn : .forwardingOff, app)
    }

    mutating func chooseForwardingAddress(
        _ fields: FormFields,
        _ person: Person
    ) throws(OAuthRefusal) -> Outcome {
        guard let address = fields["address"], person.account.addresses.contains(address) else {
            throw .account(.chooseAddress, "address does not belong to \(person.account.email)")
        }
        _ = people.update(person.id) { $0.forwardingAddress = address }
        return Self.toAccount(.forwardTo)
    }

    mutating func deleteAccount(
        _ fields: FormFields,
        _ person: Person,
        _ visit: AccountVisit
    ) throws(OAuthRefusal) -> Outcome {
        guard fields["understood"] == "yes" else {
            return accountPage(
                deletion(of: person),
                to: visit,
                status: .badRequest,
                problem: .understandFirst,
                reason: "understood is not yes"
            )
        }
        try Self.apply(.outOfDate) { try deletePerson(person.account.email) }
        return ending(visit, .deleted)
    }

    private mutating func ending(_ visit: AccountVisit, _ notice: AccountNotice) -> Outcome {
        if let identifier = visit.sessionIdentifier { authorizations.sessions.remove(identifier) }
        var outcome = Self.toAccount(notice)
        outcome.answer.response.headerFields[.setCookie] =
            cookie(.account, of: visit.request).ending
        return outcome
    }

    /// Redirects to the app's page if the app is still used, else to the list.
    private func done(_ notice: AccountNotice, _ app: AccountApp) -> Outcome {
        var outcome = Self.toAccount(notice)
        if notice != .stopped {
            outcome.answer.response.headerFields[.location] =
                AccountRoute.app.address(of: app.group.rawValue)
                + "&\(AccountNotice.parameter)=\(notice.rawValue)"
        }
        outcome.remark.clientID = app.group.rawValue
        return outcome
    }

    private static func apply(
        _ problem: PageProblem,
        _ action: () throws -> Void
    ) throws(OAuthRefusal) {
        do {
            try action()
        } catch {
            throw .account(problem, ControlRefusal(error).message, status: .conflict)
        }
    }
}

/// A request to the account page with its session.
struct AccountVisit {
    let request: HTTPRequest
    /// The session identifier in the browser's cookie, which may have expired.
    let sessionIdentifier: String?
    let person: Person?

    init(_ request: HTTPRequest, in state: EmulatorState) {
        self.request = request
        let identifier = state.cookie(.account, of: request).value
        sessionIdentifier = identifier
        person = state.authorizations.session(identifier, at: state.now)
            .flatMap { state.people[$0.personID] }
    }

    /// The secret that each form of this session carries, which protects against forged forms.
    ///
    /// It is a hash of the session identifier.
    var formToken: String {
        let text = "account form|" + (sessionIdentifier ?? "")
        return Base64URL.encode(Data(SHA256.hash(data: Data(text.utf8))))
    }

    /// Checks `Origin` for browsers without `Sec-Fetch-Site`.
    func checkOrigin() throws(OAuthRefusal) {
        guard let name = HTTPField.Name("Sec-Fetch-Site"), request.headerFields[name] == nil,
            // https://www.rfc-editor.org/rfc/rfc6454#section-7
            let origin = request.headerFields[.origin]
        else { return }
        let authority = URLComponents(string: origin).flatMap(Self.authority)
        guard let authority, authority == request.authority?.lowercased() else {
            throw .account(
                .otherSite,
                "the form was not sent by the account page: the Origin is a different one",
                status: .forbidden
            )
        }
    }

    func checkToken(in fields: FormFields) throws(OAuthRefusal) {
        guard let sent = fields["token"], sent == formToken else {
            let reason = "the form's token is missing, or belongs to another session"
            throw .account(.outOfDate, reason, status: .forbidden)
        }
    }

    private static func authority(of origin: URLComponents) -> String? {
        guard let host = origin.host?.lowercased() else { return nil }
        return origin.port.map { "\(host):\($0)" } ?? host
    }
}

import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// Answers what is asked of the account page; nil when the path is none of its.
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
            return try take(route, form(request, body: body), from: visit)
        } catch {
            let content = AccountPage.Content.failure(
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
        case .delete:
            return accountPage(deletion(of: person), to: visit)
        case .overview, .signIn, .twoFactor, .signOut, .forwarding, .forwardTo:
            let apps = AccountApp.all(of: person, in: registry)
            let content = AccountPage.Content.overview(AccountHolder(person), apps: apps)
            return accountPage(content, to: visit, notice: notice)
        }
    }

    private mutating func take(
        _ route: AccountRoute,
        _ fields: FormFields,
        from visit: AccountVisit
    ) throws(OAuthRefusal) -> Outcome {
        guard route != .signIn, route != .twoFactor else {
            return try carryOn(route, fields, from: visit)
        }
        // Whose session is over is shown the form to sign in; nothing is done.
        guard let person = visit.person else { return Self.toAccount() }
        try visit.checkToken(in: fields)
        switch route {
        case .signOut: return signOut(visit)
        case .stopUsing: return try stopUsing(fields, person)
        case .forwarding: return try switchForwarding(fields, person)
        case .forwardTo: return try chooseForwardingAddress(fields, person)
        case .delete: return try deleteAccount(fields, person, visit)
        case .overview, .app, .signIn, .twoFactor: return Self.toAccount()
        }
    }

    /// Carries on the transaction that leads here, by the rules that the sheet has.
    private mutating func carryOn(
        _ route: AccountRoute,
        _ fields: FormFields,
        from visit: AccountVisit
    ) throws(OAuthRefusal) -> Outcome {
        let form = SignInForm(fields: fields, request: visit.request)
        let transaction = try transaction(of: form)
        guard transaction.purpose.request == nil else {
            throw .account(.signInOver, "the transaction leads to an app")
        }
        let action = route == .signIn ? "sign-in" : "two-factor"
        return try signIn(action, form, in: transaction)
            ?? again(
                transaction,
                form,
                .stepNotPossible,
                reason: "the form does not fit the step of the sign-in"
            )
    }

    /// The app group that a request names by any of its clients.
    func accountApp(_ fields: FormFields, of person: Person) throws(OAuthRefusal) -> AccountApp {
        let group = fields["client_id"].flatMap { registry.client(ClientID($0))?.group }
        guard let app = group.flatMap({ AccountApp($0, of: person, in: registry) }) else {
            let reason = "client_id names no app that \(person.account.email) uses"
            throw .account(.unknownApp, reason, status: .notFound)
        }
        return app
    }

    func deletion(of person: Person) -> AccountPage.Content {
        .delete(AccountHolder(person), apps: AccountApp.all(of: person, in: registry))
    }

    /// A page of a session; with a reason, the log has it as an error.
    func accountPage(
        _ content: AccountPage.Content,
        to visit: AccountVisit,
        status: HTTPResponse.Status = .ok,
        notice: AccountNotice? = nil,
        problem: PageProblem? = nil,
        reason: String? = nil
    ) -> Outcome {
        let page = AccountPage(
            content: content,
            token: visit.person == nil ? "" : visit.formToken,
            notice: notice,
            problem: problem
        )
        let error = reason == nil ? nil : OAuthErrorResponse.Code.account.rawValue
        return .page(
            .account(page),
            status: status,
            remark: Remark(error: error, reason: reason)
        )
    }

    /// A form was taken: the next page can be loaded again without sending it again.
    static func toAccount(_ notice: AccountNotice? = nil) -> Outcome {
        let query = notice.map { "?\(AccountNotice.parameter)=\($0.rawValue)" } ?? ""
        return .redirect(to: AccountRoute.overview.rawValue + query, status: .seeOther)
    }
}

import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// Answers what is asked of the account page; nil when the path is none of its.
    mutating func account(
        _ request: HTTPRequest,
        path: String,
        query: String,
        body: Data,
        at time: Date
    ) -> Outcome? {
        guard let route = AccountRoute(rawValue: path) else { return nil }
        guard route.answers(request.method) else {
            return .methodNotAllowed(request, allowed: route.allowed)
        }
        let visit = AccountVisit(request, in: self, at: time)
        do throws(AccountRefusal) {
            guard request.method == .post else {
                let fields = try accountFields { () throws(OAuthRefusal) in
                    try FormFields(parsing: query.utf8)
                }
                return try show(route, fields, to: visit)
            }
            try visit.checkSite()
            let fields = try accountFields { () throws(OAuthRefusal) in
                try form(request, body: body)
            }
            return try take(route, fields, from: visit)
        } catch {
            var outcome = accountPage(.failure(error), to: visit, status: error.status)
            outcome.remark = Self.remark(error)
            return outcome
        }
    }

    private func accountFields(
        _ read: () throws(OAuthRefusal) -> FormFields
    ) throws(AccountRefusal) -> FormFields {
        do throws(OAuthRefusal) {
            return try read()
        } catch {
            throw AccountRefusal(.notUnderstood, reason: error.reason)
        }
    }

    private mutating func show(
        _ route: AccountRoute,
        _ fields: FormFields,
        to visit: AccountVisit
    ) throws(AccountRefusal) -> Outcome {
        let notice = fields[AccountNotice.parameter].flatMap { AccountNotice(rawValue: $0) }
        guard let person = visit.person else {
            guard route == .overview else { return Self.toOverview() }
            return beginAccountSignIn(visit, notice: notice)
        }
        switch route {
        case .app:
            let app = try accountApp(fields, of: person)
            return accountPage(.app(app, of: person), to: visit, notice: notice)
        case .stopUsing:
            return accountPage(.stopUsing(try accountApp(fields, of: person)), to: visit)
        case .delete:
            let apps = AccountApp.all(of: person, in: registry)
            return accountPage(.delete(person, apps: apps), to: visit)
        case .overview, .signIn, .twoFactor, .signOut, .forwarding, .forwardTo:
            let apps = AccountApp.all(of: person, in: registry)
            return accountPage(.overview(person, apps: apps), to: visit, notice: notice)
        }
    }

    private mutating func take(
        _ route: AccountRoute,
        _ fields: FormFields,
        from visit: AccountVisit
    ) throws(AccountRefusal) -> Outcome {
        switch route {
        case .signIn: return try takeAccountPassword(fields, from: visit)
        case .twoFactor: return try takeAccountDigits(fields, from: visit)
        default: break
        }
        // Whose session is over is shown the form to sign in; nothing is done.
        guard let person = visit.person else { return Self.toOverview() }
        try visit.checkToken(in: fields)
        switch route {
        case .signOut: return signOut(visit)
        case .stopUsing: return try stopUsing(fields, person)
        case .forwarding: return try switchForwarding(fields, person)
        case .forwardTo: return try chooseForwardingAddress(fields, person)
        case .delete: return try deleteAccount(fields, person, visit)
        case .overview, .app, .signIn, .twoFactor: return Self.toOverview()
        }
    }

    /// The app group that a request names by any of its clients.
    func accountApp(_ fields: FormFields, of person: Person) throws(AccountRefusal) -> AccountApp {
        let group = fields["client_id"].flatMap { registry.client(ClientID($0))?.group }
        guard let app = group.flatMap({ AccountApp($0, of: person, in: registry) }) else {
            throw AccountRefusal(
                .unknownApp,
                reason: "client_id names no app that \(person.account.email) uses",
                status: .notFound
            )
        }
        return app
    }

    func accountPage(
        _ page: AccountPage,
        to visit: AccountVisit,
        status: HTTPResponse.Status = .ok,
        notice: AccountNotice? = nil,
        error: AccountText.Word? = nil
    ) -> Outcome {
        let content = AccountContent(
            page,
            text: renderer.language.accountText,
            token: visit.person == nil ? "" : visit.formToken,
            notice: notice,
            error: error
        )
        let response = HTTPResponse(status: status, headerFields: PageSecurity.accountFields)
        return Outcome(
            answer: EmulatorAnswer(response: response, body: Data(renderer.render(content).utf8))
        )
    }

    /// A form was taken: the next page can be loaded again without sending it again.
    static func toOverview(_ notice: AccountNotice? = nil) -> Outcome {
        let query = notice.map { "?\(AccountNotice.parameter)=\($0.rawValue)" } ?? ""
        return .redirect(to: AccountRoute.overview.rawValue + query, status: .seeOther)
    }

    static func remark(_ refusal: AccountRefusal) -> Remark {
        Remark(error: "account", reason: refusal.reason)
    }
}

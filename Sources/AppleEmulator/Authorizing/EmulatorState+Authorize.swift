import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// Answers `/auth/authorize`: a sheet, the outcome of a decision given beforehand, or a refusal.
    mutating func authorize(
        _ request: HTTPRequest,
        query: String,
        body: Data,
        at time: Date
    ) -> Outcome {
        var clientID: String?
        do throws(OAuthRefusal) {
            let fields: FormFields
            switch request.method {
            case .get, .head: fields = try FormFields(parsing: query.utf8)
            // OpenID Connect Core, section 3.1.2.1: POST must be understood too.
            // https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest
            case .post: fields = try form(request, body: body)
            default: return .methodNotAllowed(request, allowed: "GET, POST")
            }
            clientID = fields["client_id"]
            let asked = try AuthorizationRequest(
                fields,
                registry: registry,
                isStrict: configuration.isStrict,
                switches: switches
            )
            var outcome = try begin(asked, request: request, at: time)
            outcome.remark.clientID = clientID
            if RedirectAddress(asked.redirectURI).isLoopback {
                outcome.remark.add(
                    hint: "Apple would refuse this redirect_uri: it leads to this machine"
                )
            }
            return outcome
        } catch {
            return failure(error, clientID: clientID, prefersJSON: Self.prefersJSON(request))
        }
    }

    private mutating func begin(
        _ asked: AuthorizationRequest,
        request: HTTPRequest,
        at time: Date
    ) throws(OAuthRefusal) -> Outcome {
        // HEAD asks without consequences: nothing is begun and no decision is used up.
        guard request.method != .head else { return page(.signIn(signInPage(asked, "")), .ok) }
        let redirectStatus: HTTPResponse.Status = request.method == .post ? .seeOther : .found
        if let decision = authorizations.takeDecision() {
            return try carryOut(decision, for: asked, status: redirectStatus, at: time)
        }
        let cookies = request.headerFields[values: .cookie]
        let identifier = BrowserSession.identifier(inCookies: cookies)
        let session = authorizations.session(identifier, at: time)
        let step = session.map {
            Transaction.Step.sheet($0.personID, authenticatedAt: $0.authenticatedAt)
        }
        // A browser keeps its mark, so that several sheets can be open side by side.
        let knownBrowser = BrowserMark(of: request)
        let browser = knownBrowser ?? .make()
        let transaction = Transaction(
            request: asked,
            browser: browser,
            startedAt: time,
            step: step ?? .signIn
        )
        var outcome = showStep(of: transaction, named: authorizations.begin(transaction))
        if knownBrowser == nil {
            outcome.answer.response.headerFields[.setCookie] =
                browser.cookie(isSecure: request.scheme == "https")
        }
        return outcome
    }

    private mutating func carryOut(
        _ decision: Decision,
        for asked: AuthorizationRequest,
        status: HTTPResponse.Status,
        at time: Date
    ) throws(OAuthRefusal) -> Outcome {
        guard decision.isContinuing else { return deliver(.cancelled(asked), to: asked, status) }
        return try complete(
            asked,
            by: decision.personID,
            authenticatedAt: time,
            hidesEmail: decision.hidesEmail,
            name: decision.name,
            status: status,
            at: time
        )
    }

    /// Carries out a person's yes and answers with what goes to the redirect address.
    mutating func complete(
        _ asked: AuthorizationRequest,
        by personID: PersonID,
        authenticatedAt: Date,
        hidesEmail: Bool,
        name: PersonName?,
        status: HTTPResponse.Status,
        at time: Date
    ) throws(OAuthRefusal) -> Outcome {
        let draft = AuthorizationDraft(
            client: asked.client,
            scopes: asked.scopes,
            nonce: asked.nonce,
            redirectURI: asked.redirectURI,
            codeChallenge: asked.codeChallenge,
            authenticatedAt: authenticatedAt,
            hidesEmail: hidesEmail,
            name: name
        )
        let authorization = try issue(draft, to: personID, at: time)
        let identityToken =
            try asked.asksIdentityToken
            ? identityToken(
                for: authorization.grant,
                on: .authorization(code: authorization.code, realUserStatus: nil),
                at: time
            ) : nil
        let response = AuthorizationResponse.granted(
            authorization,
            identityToken: identityToken,
            to: asked
        )
        var outcome = deliver(response, to: asked, status)
        if !authorization.isFirst, asked.asksEmail, authorization.email == nil {
            outcome.remark.add(
                hint: "email was not asked when the person first agreed, so no address comes;"
                    + " let the person stop using the app, then the sheet asks again"
            )
        }
        return outcome
    }

    func deliver(
        _ response: AuthorizationResponse,
        to asked: AuthorizationRequest,
        _ redirectStatus: HTTPResponse.Status
    ) -> Outcome {
        guard asked.responseMode == .formPost else {
            return .redirect(to: response.address(for: asked), status: redirectStatus)
        }
        return page(
            .formPost(
                FormPostPage(
                    redirectURI: asked.redirectURI,
                    appName: asked.client.name,
                    fields: response.fields.map { .init(name: $0.name, value: $0.value) }
                )
            ),
            .ok
        )
    }

    func page(_ page: SheetPage, _ status: HTTPResponse.Status) -> Outcome {
        let response = HTTPResponse(status: status, headerFields: renderer.headerFields(for: page))
        return Outcome(
            answer: EmulatorAnswer(response: response, body: Data(renderer.render(page).utf8))
        )
    }

    /// A refusal that stays on Apple's page and never reaches the redirect address.
    func failure(_ refusal: OAuthRefusal, clientID: String?, prefersJSON: Bool) -> Outcome {
        guard !prefersJSON else { return .refusal(refusal, clientID: clientID) }
        let hint = [refusal.reason, refusal.hint].compactMap(\.self).joined(separator: "; ")
        var outcome = page(
            .failure(
                FailurePage(code: refusal.code.rawValue, text: refusal.text ?? "", hint: hint)
            ),
            .badRequest
        )
        outcome.remark = Remark(refusal, clientID: clientID)
        return outcome
    }

    static func prefersJSON(_ request: HTTPRequest) -> Bool {
        let accepted = (request.headerFields[.accept] ?? "").lowercased()
        return accepted.contains("application/json") && !accepted.contains("text/html")
    }
}

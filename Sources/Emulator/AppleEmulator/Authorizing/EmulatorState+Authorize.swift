import Foundation
import HTTPTypes

extension EmulatorState {
    /// Handles `/auth/authorize`: the sheet, the result of a queued decision, or a refusal.
    mutating func authorize(_ request: HTTPRequest, query: String, body: Data) -> Outcome {
        var clientID: String?
        do throws(OAuthRefusal) {
            let fields: FormFields
            switch request.method {
            case .get, .head: fields = try FormFields(parsing: query.utf8)
            // OpenID Connect Core, section 3.1.2.1: the endpoint must also support POST.
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
            let own = try QueuedDecision(fields, in: self)
            var outcome = try begin(asked, request: request, decision: decision ?? own)
            outcome.remark.clientID = clientID
            if let place = RedirectURI(asked.redirectURI).localPlace {
                outcome.remark.add(
                    hint: "Apple would refuse this redirect_uri: it points to \(place)"
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
        decision: QueuedDecision?
    ) throws(OAuthRefusal) -> Outcome {
        // HEAD has no side effects: it uses no decision.
        if request.method != .head,
            let decision = decision ?? authorizations.takeDecision(for: asked.client.clientID)
        {
            let status: HTTPResponse.Status = request.method == .post ? .seeOther : .found
            return try apply(decision, for: asked, status: status)
        }
        let session = authorizations.session(cookie(.account, of: request).value, at: now)
        let step = session.map { firstStep(in: $0) } ?? .signIn
        return begin(.app(asked), at: step, for: request)
    }

    /// One signed-in person goes straight to the sheet; several go to the chooser.
    private func firstStep(in session: AppleAccountSession) -> Transaction.Step {
        guard session.others.isEmpty else { return .chooser(session.people) }
        return .sheet(session.personID, authenticatedAt: session.authenticatedAt)
    }

    private mutating func apply(
        _ decision: QueuedDecision,
        for asked: AuthorizationRequest,
        status: HTTPResponse.Status
    ) throws(OAuthRefusal) -> Outcome {
        guard decision.isContinuing else { return deliver(.cancelled(asked), to: asked, status) }
        return try complete(
            asked,
            by: decision.personID,
            authenticatedAt: now,
            choice: decision.choice,
            status: status
        )
    }

    /// Grants an authorization, and responds with the fields for the redirect URI.
    mutating func complete(
        _ asked: AuthorizationRequest,
        by personID: PersonID,
        authenticatedAt: Date,
        choice: PersonChoice,
        status: HTTPResponse.Status
    ) throws(OAuthRefusal) -> Outcome {
        let draft = AuthorizationDraft(
            client: asked.client,
            scopes: asked.scopes,
            nonce: asked.nonce,
            redirectURI: asked.redirectURI,
            codeChallenge: asked.codeChallenge,
            authenticatedAt: authenticatedAt,
            choice: choice
        )
        let authorization = try issue(draft, to: personID)
        let identityToken =
            try asked.asksIdentityToken
            ? identityToken(
                for: authorization.grant,
                on: .authorization(code: authorization.code, realUserStatus: nil)
            ) : nil
        let response = AuthorizationResponse.granted(
            authorization,
            identityToken: identityToken,
            to: asked
        )
        var outcome = deliver(response, to: asked, status)
        if asked.asksEmail, people[personID]?.account.hasEmail == false {
            outcome.remark.add(hint: "the account has no email address, so none is returned")
        } else if !authorization.isFirst, asked.asksEmail, authorization.email == nil {
            outcome.remark.add(
                hint: "email was not requested at the first consent, so no address is returned;"
                    + " if the user stops using the app, the next sign-in asks again"
            )
        }
        return outcome
    }

    mutating func deliver(
        _ response: AuthorizationResponse,
        to asked: AuthorizationRequest,
        _ redirectStatus: HTTPResponse.Status
    ) -> Outcome {
        flows.note(
            FlowHandover(
                redirectURI: asked.redirectURI,
                mode: asked.responseMode,
                fields: response.fields
            )
        )
        switch asked.responseMode {
        case .query, .fragment:
            return .redirect(to: response.address(for: asked), status: redirectStatus)
        case .formPost:
            let page = FormPostPage(
                redirectURI: asked.redirectURI,
                appName: asked.client.name,
                fields: response.fields
            )
            return .page(.formPost(page))
        case .webMessage:
            let page = WebMessagePage(
                message: switches.popupAnswers ? WebMessage.text(of: response) : "",
                targetOrigin: WebMessage.origin(of: asked.redirectURI),
                appName: asked.client.name
            )
            return .page(.webMessage(page))
        }
    }

    /// A refusal on Apple's page, which is never sent to the redirect URI.
    func failure(_ refusal: OAuthRefusal, clientID: String?, prefersJSON: Bool) -> Outcome {
        guard !prefersJSON else { return .refusal(refusal, clientID: clientID) }
        let page = FailurePage(
            code: refusal.code.rawValue,
            text: refusal.text,
            problem: refusal.problem,
            hint: [refusal.reason, refusal.hint].compactMap(\.self).joined(separator: "; "),
            missing: refusal.missing
        )
        return .page(
            .failure(page),
            status: .badRequest,
            remark: Remark(refusal, clientID: clientID)
        )
    }

    static func prefersJSON(_ request: HTTPRequest) -> Bool {
        let accepted = (request.headerFields[.accept] ?? "").lowercased()
        return accepted.contains("application/json") && !accepted.contains("text/html")
    }
}

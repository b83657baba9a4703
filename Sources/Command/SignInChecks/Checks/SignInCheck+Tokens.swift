import AppleIdentity
import Foundation

/// Checks that a token is valid only for this server, this sign-in and this time.
extension SignInCheck {
    private static let bindNonce = """
        Generate a random nonce for each sign-in, store it with the state, and compare it with the one in the identity token.
        """

    static let nonces = [
        SignInCheck(
            name: "nonce-sent",
            attempt: "two sign-ins begin in two browsers",
            expectation: "each has its own nonce",
            fix: bindNonce,
            source: .hybridRequest
        ) { context throws(CheckError) in
            var other = context.newVisit()
            try await other.begin()
            guard let first = context.usual.request["nonce"] else {
                let finding = Finding.fails("the request to Apple has no nonce")
                // Without a token from Apple's page, the nonce is not required.
                guard context.asksIdentityToken else { return finding.asAdvice }
                return try await context.unlessBoundByPKCE(finding)
            }
            guard first == other.request["nonce"] else { return .holds("different each time") }
            return try await context.unlessBoundByPKCE(.fails("two sign-ins had the same nonce"))
        },
        wrongNonce("nonce-wrong", "wrong_nonce", "with another nonce"),
        wrongNonce("nonce-missing", "nonce_missing", "without a nonce, which Apple supports"),
    ]

    private static func wrongNonce(_ name: String, _ defect: String, _ words: String) -> SignInCheck
    {
        SignInCheck(
            name: name,
            attempt: "identity tokens \(words), from Apple's page and for the code",
            expectation: "no user is signed in",
            fix: bindNonce,
            source: .openIDConnect
        ) { context throws(CheckError) in
            guard context.usual.request["nonce"] != nil else {
                return .notExamined("the server sends no nonce")
            }
            return try await context.unlessBoundByPKCE(try await context.defective(defect))
        }
    }

    static let claims =
        [
            wrongClaim("issuer", "wrong_issuer", "of another issuer", "`iss`"),
            wrongClaim("audience", "wrong_audience", "for another app", "`aud`"),
            wrongClaim("expired", "expired", "that expired an hour ago", "`exp`"),
            wrongClaim(
                "issued-in-the-future",
                "issued_in_the_future",
                "issued an hour from now",
                "`iat`",
                isAdvice: true
            ),
        ] + [otherApp, codeHash]

    private static func wrongClaim(
        _ name: String,
        _ defect: String,
        _ words: String,
        _ claim: String,
        isAdvice: Bool = false
    ) -> SignInCheck {
        SignInCheck(
            name: name,
            attempt: "identity tokens \(words), from Apple's page and for the code",
            expectation: "no user is signed in",
            fix: "Check \(claim) of the identity token that identifies the user.",
            source: .openIDConnect
        ) { context throws(CheckError) in
            let finding = try await context.defective(defect)
            return isAdvice ? finding.asAdvice : finding
        }
    }

    private static let otherApp = SignInCheck(
        name: "other-app",
        attempt: "the attacker's own code, with a token that the victim gave to another app",
        expectation: "the attacker is not signed in as the victim",
        fix: "Accept identity tokens whose `aud` is this server's client ID, and no others.",
        source: .verifying
    ) { context throws(CheckError) in
        let label = CheckPerson.letters(8)
        let clientID = context.registration.clientID
        // Another ID, and IDs that begin or end with this client's.
        let apps = ["com.example.check.\(label)", "\(clientID).\(label)", "\(label).\(clientID)"]
        let finding = try await context.each(apps) { app throws(CheckError) in
            try await context.inject(tokenOf: app)
        }
        return try await context.unlessIgnored(finding)
    }

    private static let codeHash = SignInCheck(
        name: "code-hash",
        attempt: "an identity token from Apple's page with the hash of another code (`c_hash`)",
        expectation: "no user is signed in with that token",
        fix: "Compare `c_hash` with the first half of the code's SHA-256.",
        source: .hybridFlow
    ) { context throws(CheckError) in
        guard context.asksIdentityToken else {
            return .notExamined("the server does not request an identity token from Apple's page")
        }
        let finding = try await context.defective("wrong_code_hash")
        guard finding.verdict == .fails else { return finding }
        return try await context.unlessIgnored(finding.asAdvice)
    }
}

extension CheckContext {
    /// Turns a failure into advice if PKCE protects instead of the nonce.
    ///
    /// Source: [RFC 9700, section 4.5.3](https://www.rfc-editor.org/rfc/rfc9700#section-4.5.3)
    fileprivate func unlessBoundByPKCE(_ finding: Finding) async throws(CheckError) -> Finding {
        guard finding.verdict == .fails, usual.request["code_challenge"] != nil,
            try await SignInCheck.injected.examine(self).verdict == .holds
        else { return finding }
        return .advice(finding.reason + "; PKCE still prevents the use of another sign-in's code")
    }

    /// Delivers a response in which every token has the same defect.
    func defective(_ defect: String) async throws(CheckError) -> Finding {
        let switches: JSONObject = ["identity_token_defect": .string(defect)]
        let (visit, answer) = try await visit(as: victim, switches: switches)
        return try await expectNobody(visit, answer)
    }

    /// Sends a token that the victim gave to another app of the team in the attacker's sign-in.
    fileprivate func inject(tokenOf app: String) async throws(CheckError) -> Finding {
        try await apple.addApp(app, team: registration.teamID)
        var (visit, answer) = try await visit(as: attacker)
        let credentials = try await apple.credentials(
            of: victim.email,
            for: app,
            nonce: visit.request["nonce"]
        )
        answer.fields["id_token"] = credentials["identity_token"]?.stringValue
        return try await expectNoVictim(visit, answer)
    }

    /// The finding, unless the server does not read the token that Apple's page posts.
    ///
    /// An attack with such a token then shows nothing. One that succeeded was read.
    func unlessIgnored(_ finding: Finding) async throws(CheckError) -> Finding {
        guard finding.verdict != .fails, try await !readsPostedToken() else { return finding }
        return .notExamined("the server does not read the token that Apple's page posts")
    }

    /// Whether an invalid posted token makes a sign-in fail.
    private func readsPostedToken() async throws(CheckError) -> Bool {
        if let known = postedTokenIsRead.withLock(\.self) { return known }
        var (visit, answer) = try await visit(as: victim)
        answer.fields["id_token"] = "no token"
        _ = try await deliver(&visit, answer)
        let isRead = try await who(&visit) == .anonymous
        postedTokenIsRead.withLock { $0 = isRead }
        return isRead
    }
}

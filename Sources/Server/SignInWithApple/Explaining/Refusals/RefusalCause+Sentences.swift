extension RefusalCause {
    /// Creates a cause from the sentences of its code.
    ///
    /// `facts` replace the names in braces; `{was}` depends on whether the cause is evident.
    init(_ code: Code, isEvident: Bool, facts: [String: String]) {
        func fill(_ sentence: String) -> String {
            sentence.replacing(/\{([a-z]+)\}/) { name in
                name.output.1 == "was"
                    ? isEvident ? "was" : "may have been"
                    : facts[String(name.output.1)] ?? String(name.output.0)
            }
        }
        let sentences = Self.sentences[code] ?? ("", "")
        self.code = code
        self.isEvident = isEvident
        explanation = fill(sentences.explanation)
        remedy = fill(sentences.remedy)
    }

    /// The explanation and the remedy of each code.
    static let sentences =
        ofClientSecrets.merging(ofGrants) { first, _ in first }
        .merging(ofTransfers) { first, _ in first }

    typealias Sentences = [Code: (explanation: String, remedy: String)]

    private static let ofClientSecrets: Sentences = [
        .secretMalformed: (
            "The client secret{fault}.",
            "Create it with siwa secret or with the library. kid and iss must be the ten capital letters or digits that Apple shows, iat and exp whole seconds since 1970."
        ),
        .secretExpired: (
            "The client secret expired {seconds} seconds ago by {clock}.",
            "Create a new one every ten minutes, and synchronize the clock with NTP."
        ),
        .secretNotYetValid: (
            "The client secret is dated {seconds} seconds ahead of {clock}.",
            "Synchronize the clock with NTP."
        ),
        .secretLifetimeTooLong: (
            "The client secret expires in {seconds} seconds by {clock}; Apple permits at most {limit}.",
            "Use a lifetime of ten minutes; six calendar months can be too long."
        ),
        .clockWrong: (
            "This server's clock is {seconds} seconds {side} Apple's.",
            "Synchronize it with NTP: Apple checks the client secret by its own clock."
        ),
        .secretSubjectMismatch: (
            "The client secret is for {subject}, but the request is for {app}.",
            "Its sub must equal client_id, including capital letters."
        ),
        .secretAudienceMismatch: (
            "The client secret's audience is {audience}.",
            "Its aud must be {apple}."
        ),
        .keyIDIsTeamID: (
            "The key ID and the team ID are identical.",
            "Copy the key ID from the file name AuthKey_….p8, and the team ID from Apple's membership page."
        ),
        .clientIDHasTeamPrefix: (
            "The client ID begins with the team ID.",
            "Remove the prefix: use com.example.app, not TEAMID.com.example.app."
        ),
        .keyMismatch: (
            "The key file may not belong to key {key}, or the key was revoked.",
            "Compare the key ID with the file name AuthKey_….p8 and with Keys in Apple's developer portal."
        ),
        .keyOfAnotherGroup: (
            "Key {key} may be for a different primary App ID than {app}.{other}",
            "In the portal, the key's primary App ID must be the one that this client is grouped with."
        ),
        .teamMismatch: (
            "Key {key} may not belong to {team}.",
            "Copy the team ID from the membership page of the account that created the key."
        ),
        .clientUnknown: (
            "{app} may not be a client of {team}, or Sign in with Apple may not be enabled for it.",
            "Compare it exactly, including capitals, with Identifiers in the portal."
        ),
    ]

    private static let ofGrants: Sentences = [
        .codeAlreadyUsed: (
            "The code {was} used before, here or by another process.",
            "Redeem each code once, in one place. For another attempt, begin a new sign-in."
        ),
        .codeSentBefore: (
            "This server sent the same code {seconds} seconds ago; a code is valid once.",
            "Redeem each code once and keep the response. Look for a form posted twice, a retry after a time-out, or two handlers of one callback."
        ),
        .codeAnswerLost: (
            "This server sent the same code {seconds} seconds ago and got no usable response. Apple may have accepted the code.",
            "Let the user sign in again, and find out why the first response was lost or took longer than {limit} seconds."
        ),
        .codeLate: (
            "The code {was} sent too late: it is valid for five minutes{age}.",
            "Redeem it as soon as the app or browser sends it, not from a queue."
        ),
        .codeUnknown: (
            "The code may have been altered or truncated: Apple's error is the same for a code that it never issued.",
            "Compare its length, beginning and end in the app and here. Form-encode it once."
        ),
        .clientMismatch: (
            "The code {was} issued to a client other than {app}.",
            "Redeem codes from apps with the app's bundle ID, and codes from the web with the Services ID."
        ),
        .redirectMismatch: (
            "The redirect URI {was} wrong: the code was sent {address}.",
            "Send exactly the redirect URI of the authorization request, including scheme and last slash. Send none for a code from an app."
        ),
        .codeVerifierMismatch: (
            "The code may be bound to another code verifier (PKCE): it was sent {verifier}.",
            "Send the code_verifier whose SHA-256 was the code_challenge of the authorization request, and none if that had no challenge."
        ),
        .servicesIDWithoutRedirect: (
            "{app} is a Services ID, and no redirect URI was sent.",
            "Send the redirect URI of the authorization request. For a code from an app, send the app's bundle ID instead."
        ),
        .redirectWithBundleID: (
            "{app} is a bundle ID, and a redirect URI was sent.",
            "Omit the redirect URI for a code from an app. For a code from the web, send the Services ID instead."
        ),
        .tokenOfAnotherKind: (
            "The value that was sent looks like {found}, not like {expected}.",
            "Send {expected}."
        ),
        .tokenRevoked: (
            "The refresh token is no longer valid: the user stopped using the app or changed the Apple Account's password, or it was revoked.",
            "End the user's sessions, and let the user sign in again."
        ),
        .requestRewritten: (
            "The form may have been modified on its way to Apple, for example by a proxy.",
            "Compare the request that leaves your network with the one that the server sends; it must arrive unchanged."
        ),
        .tokenOfAnotherClient: (
            "The refresh token may have been issued to a client other than {app}.",
            "Store with each refresh token the client ID that exchanged its code."
        ),
    ]

    private static let ofTransfers: Sentences = [
        .userStoppedUsingApp: (
            "The user may have stopped using {app}, or deleted the Apple Account.",
            "Skip this user; the next sign-in is like a first one."
        ),
        .userOfAnotherTeam: (
            "The identifier may belong to another team: {team} may have no user with it.",
            "Send the exact sub of an identity token issued for {team}; if it was never stored, wait for the next sign-in."
        ),
        .transferTargetMismatch: (
            "The transfer identifier may be a plain sub, or for a team other than {team}: Apple accepts any target team when it creates one.",
            "Compare the target that the other team sent with this team ID, and let them request it again."
        ),
        .transferNotAccepted: (
            "The app {app} may not have been transferred to {team} yet.",
            "Accept the transfer in App Store Connect, then configure Sign in with Apple and a key for the app in this team."
        ),
        .transferWindowOver: (
            "The 60 days after the transfer of {app} may have passed.",
            "Transfer the app back and again to begin another 60 days. Until then Apple returns nothing that identifies users."
        ),
        .appTransferred: (
            "The identity token has a transfer identifier (transfer_sub): {app} was transferred to another team.",
            "Use the team ID, the key ID and the key of the receiving team, and migrate the users."
        ),
        .migrationTokenEnded: (
            "Apple rejected the access token for user migration, and the new one that was requested after it.",
            "Run the migration again for the remaining users. If the error persists, check that {team} owns {app}."
        ),
    ]
}

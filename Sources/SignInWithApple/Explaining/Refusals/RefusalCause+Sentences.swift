extension RefusalCause {
    /// A cause in the sentences of its code, with facts for the names in braces; `was` tells by
    /// itself whether the cause is evident.
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

    /// What is wrong, and what to do about it.
    static let sentences =
        ofClientSecrets.merging(ofGrants) { first, _ in first }
        .merging(ofTransfers) { first, _ in first }

    typealias Sentences = [Code: (explanation: String, remedy: String)]

    private static let ofClientSecrets: Sentences = [
        .secretMalformed: (
            "The client secret{fault}.",
            "Make it with siwa secret, or let the library make it: kid and iss are the ten capital letters or digits that Apple shows, iat and exp whole seconds since 1970."
        ),
        .secretExpired: (
            "The client secret expired {seconds} seconds ago by {clock}.",
            "Make a new one every ten minutes, and set the clock by NTP."
        ),
        .secretNotYetValid: (
            "The client secret is dated {seconds} seconds ahead of {clock}.",
            "Set the clock by NTP."
        ),
        .secretLifetimeTooLong: (
            "The client secret ends in {seconds} seconds by {clock}, and Apple allows {limit}.",
            "Give it ten minutes: six calendar months are already too long."
        ),
        .clockWrong: (
            "This server's clock is {seconds} seconds {side} Apple's.",
            "Set it by NTP: Apple judges the client secret by its own clock."
        ),
        .secretSubjectMismatch: (
            "The client secret speaks for {subject}, and the request for {app}.",
            "Its sub has to equal client_id, capital letters included."
        ),
        .secretAudienceMismatch: (
            "The client secret is meant for {audience}.",
            "Its aud has to be {apple}."
        ),
        .keyIDIsTeamID: (
            "The key ID and the team ID are the same text.",
            "Take the key ID from the name AuthKey_….p8, the team ID from Apple's membership page."
        ),
        .clientIDHasTeamPrefix: (
            "The client ID begins with the team ID.",
            "Leave the prefix away: com.example.app, not TEAMID.com.example.app."
        ),
        .keyMismatch: (
            "The key file may not be that of key {key}, or the key was revoked.",
            "Compare the key ID with the file's name AuthKey_….p8 and with Keys in Apple's developer portal."
        ),
        .keyOfAnotherGroup: (
            "Key {key} may be for another primary app than that of {app}.{other}",
            "In the portal, the key's primary app has to be the one this client is grouped with."
        ),
        .teamMismatch: (
            "The owner of key {key} may not be {team}.",
            "Take the team ID from the membership page of the account that made the key."
        ),
        .clientUnknown: (
            "The client {app} may not be one of {team}, or lack Sign in with Apple.",
            "Compare it exactly, including capitals, with Identifiers in the portal."
        ),
    ]

    private static let ofGrants: Sentences = [
        .codeAlreadyUsed: (
            "The code {was} redeemed before, here or by another process.",
            "Redeem each code once, in one place; for another attempt, sign in anew."
        ),
        .codeSentBefore: (
            "This server sent the same code {seconds} seconds ago; a code is good once.",
            "Redeem each code once and keep the answer: look for a form posted twice, a retry after a time-out, or two handlers of one callback."
        ),
        .codeAnswerLost: (
            "This server sent the same code {seconds} seconds ago and got no usable answer: if Apple granted it, the code is spent.",
            "Let the person sign in again, and see why the first answer got lost or took longer than {limit} seconds."
        ),
        .codeLate: (
            "The code {was} sent too late: it is good for five minutes{age}.",
            "Redeem it as soon as the app or browser brings it, outside of any queue."
        ),
        .codeUnknown: (
            "The code may have been altered or cut on its way: Apple says the same of codes it never made.",
            "Compare its length and ends at the app and here; send it form-encoded once."
        ),
        .clientMismatch: (
            "The code {was} made for another client than {app}.",
            "Redeem codes from devices with the app's bundle ID, and codes from the web with the Services ID."
        ),
        .redirectMismatch: (
            "The code was sent {address}.",
            "Send exactly the address used at Apple's page, scheme and last slash included, and none for a code from a device."
        ),
        .servicesIDWithoutRedirect: (
            "{app} is a Services ID, and no redirect address was sent.",
            "Send the address used at Apple's page; for a code from a device, send the app's bundle ID instead."
        ),
        .redirectWithBundleID: (
            "{app} is a bundle ID, and a redirect address was sent.",
            "Leave the address away for a code from a device; for one from the web, send the Services ID instead."
        ),
        .tokenOfAnotherKind: (
            "What was sent looks like {found}, not like {expected}.",
            "Send {expected}."
        ),
        .tokenRevoked: (
            "The refresh token is not good any more: the person stopped using the app or changed the Apple Account's password, or it was revoked.",
            "End the person's sessions, and let them sign in again."
        ),
        .requestRewritten: (
            "The form may have been rewritten on its way to Apple, as by a proxy.",
            "Compare what leaves your network with what the server sends; it must arrive unchanged."
        ),
        .tokenOfAnotherClient: (
            "The refresh token may belong to another client than {app}.",
            "Keep with each refresh token the client ID its code was redeemed with."
        ),
    ]

    private static let ofTransfers: Sentences = [
        .userStoppedUsingApp: (
            "The person may have stopped using {app}, or deleted the Apple Account.",
            "Leave this person out; the next sign-in is like a first one."
        ),
        .userOfAnotherTeam: (
            "The identifier may be another team's: {team} may know nobody by it.",
            "Send the exact sub of an identity token issued for {team}; if it was never stored, wait for the next sign-in."
        ),
        .transferTargetMismatch: (
            "The transfer identifier may be a plain sub, or made for another team than {team}: Apple accepts any target, and refuses only here.",
            "Compare the target that the other team sent with this team ID, and let them ask again."
        ),
        .transferNotAccepted: (
            "The app {app} may not have arrived at {team} yet.",
            "Accept the transfer in App Store Connect, then configure Sign in with Apple and a key for the app in this team."
        ),
        .transferWindowOver: (
            "The 60 days after the transfer of {app} may be over.",
            "Transfer the app back and again to begin another 60 days; until then Apple tells nothing that identifies people."
        ),
        .migrationTokenEnded: (
            "Apple refused the access token for moving people, and the new one tried after it.",
            "Run again with those who are missing; if it stays, check that {team} owns {app}."
        ),
    ]
}

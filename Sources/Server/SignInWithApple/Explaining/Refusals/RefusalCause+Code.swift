extension RefusalCause.Code {
    /// The client secret had expired (`exp`).
    public static let secretExpired = Self(rawValue: "secret_expired")
    /// The client secret's `iat` is in the future.
    public static let secretNotYetValid = Self(rawValue: "secret_not_yet_valid")
    /// The client secret's lifetime is longer than Apple permits.
    public static let secretLifetimeTooLong = Self(rawValue: "secret_lifetime_too_long")
    /// The client secret's `sub` is not the request's `client_id`.
    public static let secretSubjectMismatch = Self(rawValue: "secret_subject_mismatch")
    /// The client secret's `aud` is not Apple's issuer.
    public static let secretAudienceMismatch = Self(rawValue: "secret_audience_mismatch")
    /// The client secret is not a JWT, or its `kid`, `iss`, `iat` or `exp` is missing or malformed.
    public static let secretMalformed = Self(rawValue: "secret_malformed")
    /// The key ID and the team ID are identical.
    public static let keyIDIsTeamID = Self(rawValue: "key_id_is_team_id")
    /// The client ID begins with the team ID.
    public static let clientIDHasTeamPrefix = Self(rawValue: "client_id_has_team_prefix")
    /// This server's clock and Apple's differ.
    public static let clockWrong = Self(rawValue: "clock_wrong")
    /// The key file may belong to another key ID, or the key was revoked.
    public static let keyMismatch = Self(rawValue: "key_mismatch")
    /// The key may be for a different primary App ID than the client.
    public static let keyOfAnotherGroup = Self(rawValue: "key_of_another_group")
    /// The team may not own the key or the client.
    public static let teamMismatch = Self(rawValue: "team_mismatch")
    /// Apple may not know the client.
    public static let clientUnknown = Self(rawValue: "client_unknown")

    /// The code was or may have been used before.
    public static let codeAlreadyUsed = Self(rawValue: "code_already_used")
    /// This server process sent the same code before.
    public static let codeSentBefore = Self(rawValue: "code_sent_before")
    /// This server process sent the same code before, and got no usable response.
    public static let codeAnswerLost = Self(rawValue: "code_answer_lost")
    /// The code was or may have been sent more than five minutes after Apple issued it.
    public static let codeLate = Self(rawValue: "code_late")
    /// Apple may not have issued this code, because it was altered or truncated.
    public static let codeUnknown = Self(rawValue: "code_unknown")
    /// The code was or may have been issued to another client.
    public static let clientMismatch = Self(rawValue: "client_mismatch")
    /// The redirect URI may not be the one of the authorization request.
    public static let redirectMismatch = Self(rawValue: "redirect_mismatch")
    /// The code verifier (PKCE) may be missing, or not the one of the authorization request.
    public static let codeVerifierMismatch = Self(rawValue: "code_verifier_mismatch")
    /// A bundle identifier was sent together with a redirect URI.
    public static let redirectWithBundleID = Self(rawValue: "redirect_with_bundle_id")
    /// A Services ID was sent without a redirect URI.
    public static let servicesIDWithoutRedirect = Self(rawValue: "services_id_without_redirect")
    /// The code or token is of another kind, such as an access token in place of a refresh token.
    public static let tokenOfAnotherKind = Self(rawValue: "token_of_another_kind")
    /// The refresh token was revoked by the user or by this server.
    public static let tokenRevoked = Self(rawValue: "token_revoked")
    /// The refresh token may have been issued to another client.
    public static let tokenOfAnotherClient = Self(rawValue: "token_of_another_client")

    /// The request may have been modified on its way to Apple.
    public static let requestRewritten = Self(rawValue: "request_rewritten")

    /// The user may have stopped using the app, or deleted the Apple Account.
    public static let userStoppedUsingApp = Self(rawValue: "user_stopped_using_app")
    /// The team may have no user with this identifier.
    public static let userOfAnotherTeam = Self(rawValue: "user_of_another_team")
    /// The transfer identifier may be for another team.
    public static let transferTargetMismatch = Self(rawValue: "transfer_target_mismatch")
    /// The receiving team may not have accepted the app yet.
    public static let transferNotAccepted = Self(rawValue: "transfer_not_accepted")
    /// More than 60 days may have passed since the app's transfer.
    public static let transferWindowOver = Self(rawValue: "transfer_window_over")
    /// The app was transferred, and this server may still use the key of the former team.
    public static let appTransferred = Self(rawValue: "app_transferred")
    /// Apple rejected the access token for user migration, and the one requested after it.
    public static let migrationTokenEnded = Self(rawValue: "migration_token_ended")
}

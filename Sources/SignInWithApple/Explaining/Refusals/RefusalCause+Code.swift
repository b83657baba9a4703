extension RefusalCause.Code {
    /// The client secret's time was over.
    public static let secretExpired = Self(rawValue: "secret_expired")
    /// The client secret was dated in the future.
    public static let secretNotYetValid = Self(rawValue: "secret_not_yet_valid")
    /// The client secret lives longer than Apple allows.
    public static let secretLifetimeTooLong = Self(rawValue: "secret_lifetime_too_long")
    /// The client secret speaks for another client than the request.
    public static let secretSubjectMismatch = Self(rawValue: "secret_subject_mismatch")
    /// The client secret is not meant for Apple.
    public static let secretAudienceMismatch = Self(rawValue: "secret_audience_mismatch")
    /// The client secret can't be read, or lacks what Apple needs.
    public static let secretMalformed = Self(rawValue: "secret_malformed")
    /// The key's identifier and the team's are the same text.
    public static let keyIDIsTeamID = Self(rawValue: "key_id_is_team_id")
    /// The client's identifier begins with the team's.
    public static let clientIDHasTeamPrefix = Self(rawValue: "client_id_has_team_prefix")
    /// This server's clock and Apple's differ.
    public static let clockWrong = Self(rawValue: "clock_wrong")
    /// The key's identifier belongs to another key, or the key was revoked.
    public static let keyMismatch = Self(rawValue: "key_mismatch")
    /// The key is for another app's group.
    public static let keyOfAnotherGroup = Self(rawValue: "key_of_another_group")
    /// The team does not own the key or the client.
    public static let teamMismatch = Self(rawValue: "team_mismatch")
    /// Apple does not know the client.
    public static let clientUnknown = Self(rawValue: "client_unknown")

    /// The code was redeemed before.
    public static let codeAlreadyUsed = Self(rawValue: "code_already_used")
    /// This server itself sent the code before.
    public static let codeSentBefore = Self(rawValue: "code_sent_before")
    /// This server itself sent the code before, and the answer did not arrive.
    public static let codeAnswerLost = Self(rawValue: "code_answer_lost")
    /// The code came more than five minutes after it was made.
    public static let codeLate = Self(rawValue: "code_late")
    /// Apple never made this code.
    public static let codeUnknown = Self(rawValue: "code_unknown")
    /// The code was made for another client.
    public static let clientMismatch = Self(rawValue: "client_mismatch")
    /// The code was made with another redirect address, or without one.
    public static let redirectMismatch = Self(rawValue: "redirect_mismatch")
    /// A bundle identifier was sent together with a redirect address.
    public static let redirectWithBundleID = Self(rawValue: "redirect_with_bundle_id")
    /// A Services ID was sent without a redirect address.
    public static let servicesIDWithoutRedirect = Self(rawValue: "services_id_without_redirect")
    /// What was sent is a token of another kind.
    public static let tokenOfAnotherKind = Self(rawValue: "token_of_another_kind")
    /// The person or this server ended the relation between person and app.
    public static let tokenRevoked = Self(rawValue: "token_revoked")
    /// The refresh token was made for another client.
    public static let tokenOfAnotherClient = Self(rawValue: "token_of_another_client")

    /// The request did not reach Apple in the form in which it was sent.
    public static let requestRewritten = Self(rawValue: "request_rewritten")

    /// The person stopped using the app, or deleted the Apple Account.
    public static let userStoppedUsingApp = Self(rawValue: "user_stopped_using_app")
    /// The team knows nobody by this identifier.
    public static let userOfAnotherTeam = Self(rawValue: "user_of_another_team")
    /// The transfer identifier was made for another team.
    public static let transferTargetMismatch = Self(rawValue: "transfer_target_mismatch")
    /// The recipient team has not accepted the app yet.
    public static let transferNotAccepted = Self(rawValue: "transfer_not_accepted")
    /// The 60 days after the app's transfer are over.
    public static let transferWindowOver = Self(rawValue: "transfer_window_over")
    /// The access token for moving people has ended, or is another team's.
    public static let migrationTokenEnded = Self(rawValue: "migration_token_ended")
}

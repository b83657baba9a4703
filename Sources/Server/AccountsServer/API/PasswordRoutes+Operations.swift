import Accounts
import OpenAPIDescription

extension PasswordRoutes {
    private static let newPassword = Schema.text(
        "\(PasswordRules.scalarCounts.lowerBound) to \(PasswordRules.scalarCounts.upperBound) characters.",
        lengths: PasswordRules.scalarCounts
    )
    private static let passwordRefusals: [AccountsError.Code] = [
        .passwordTooShort, .passwordTooLong, .passwordTooCommon, .passwordIsUsername,
        .passwordTooObvious, .passwordBusy,
    ]

    static let creation = Operation(
        id: "createAccount",
        group: .signingIn,
        summary: "Create an account with a username and a password",
        fields: [
            .required("username", .username()),
            .required("password", newPassword),
            .optional("name", .name().orNull),
            .optional(
                "email",
                .emailAddress(
                    "A confirmation link is sent there, unless too many were: then `pendingEmail` is null. Until it is followed, a forgotten password cannot be reset."
                ).orNull
            ),
        ],
        answer: .created("Signed in to the new account.", .named(.signIn)),
        refusals: [
            .usernameTaken, .usernameInvalid, .nameTooLong, .nameEmpty, .emailInvalid,
            .mailUnavailable, .tooManyAttempts,
        ] + passwordRefusals
    )

    static let signIn = Operation(
        id: "signInWithPassword",
        group: .signingIn,
        summary: "Sign in with a password and a username or a confirmed email address",
        fields: [
            .required(
                "username",
                .text("The username, or an email address that one account has confirmed.")
            ),
            .required("password", .text()),
        ],
        answer: .created("Signed in.", .named(.signIn)),
        refusals: [.credentialsInvalid, .tooManyAttempts, .passwordBusy]
    )

    static let change = Operation(
        id: "changePassword",
        group: .account,
        summary: "Set the first password or change it, and end all other sessions",
        access: .session,
        fields: [
            .optional("username", .username("Required for the first password.").orNull),
            .optional(
                "currentPassword",
                .text(
                    "Required to change a password, except after a recent sign-in with an Apple Account that was linked before the password was set."
                ).orNull
            ),
            .required("newPassword", newPassword),
        ],
        answer: .ok("The account.", .named(.account)),
        refusals: [
            .credentialsInvalid, .usernameRequired, .usernameTaken, .usernameInvalid,
            .recentSignInRequired, .tooManyAttempts,
        ] + passwordRefusals
    )

    static let removal = Operation(
        id: "removePassword",
        group: .account,
        summary: "Remove the password and the username, and end all other sessions",
        access: .session,
        answer: .ok("The account.", .named(.account)),
        refusals: [.credentialsInvalid, .lastWayIn, .recentSignInRequired, .tooManyAttempts]
    )

    static let resetRequest = Operation(
        id: "requestPasswordReset",
        group: .mail,
        summary: "Send a link to reset a forgotten password",
        fields: [.required("username", .text())],
        answer: .accepted("The response does not reveal whether the account exists."),
        refusals: [.mailUnavailable, .tooManyAttempts]
    )

    static let reset = Operation(
        id: "resetPassword",
        group: .mail,
        summary: "Set a new password with the link, and end all sessions",
        fields: [
            .required("token", .secret("The link's token.")), .required("newPassword", newPassword),
        ],
        answer: .done("The password is set."),
        refusals: [.linkInvalid, .tooManyAttempts] + passwordRefusals
    )

    static let emailChange = Operation(
        id: "changeEmail",
        group: .mail,
        summary: "Change the email address: send a confirmation link to it",
        access: .session,
        fields: [.required("email", .emailAddress())],
        answer: .ok("The account.", .named(.account)),
        refusals: [.emailInvalid, .mailUnavailable, .recentSignInRequired, .tooManyAttempts]
    )

    static let verificationRequest = Operation(
        id: "requestEmailVerification",
        group: .mail,
        summary: "Send the confirmation link again",
        access: .session,
        answer: .accepted("The email is queued."),
        refusals: [.emailInvalid, .mailUnavailable, .tooManyAttempts]
    )

    static let verificationCancellation = Operation(
        id: "cancelEmailVerification",
        group: .mail,
        summary: "Discard the pending email address and its link",
        access: .session,
        answer: .done("No address is pending.")
    )

    static let verification = Operation(
        id: "verifyEmail",
        group: .mail,
        summary: "Confirm an email address with its link; requires a session of the account",
        access: .session,
        fields: [.required("token", .secret("The link's token."))],
        answer: .ok("The account.", .named(.account)),
        refusals: [.linkInvalid, .tooManyAttempts]
    )
}

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
            .required("username", .text()),
            .required("password", newPassword),
            .optional("name", .text().orNull),
            .optional(
                "email",
                .text(
                    "A link is sent there. Until it is followed, a forgotten password cannot be replaced."
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
        summary: "Sign in with a username and a password",
        fields: [.required("username", .text()), .required("password", .text())],
        answer: .created("Signed in.", .named(.signIn)),
        refusals: [.credentialsInvalid, .tooManyAttempts, .passwordBusy]
    )

    static let change = Operation(
        id: "changePassword",
        group: .account,
        summary: "Set the first password, or change it; all other sessions end",
        access: .session,
        fields: [
            .optional("username", .text("For the first password.").orNull),
            .optional("currentPassword", .text("For all others.").orNull),
            .required("newPassword", newPassword),
        ],
        answer: .ok("The account.", .named(.account)),
        refusals: [
            .credentialsInvalid, .usernameRequired, .usernameTaken, .usernameInvalid,
            .recentSignInRequired, .tooManyAttempts,
        ] + passwordRefusals
    )

    static let resetRequest = Operation(
        id: "requestPasswordReset",
        group: .mail,
        summary: "Send a link for a forgotten password, if there is such an account",
        fields: [.required("username", .text())],
        answer: .accepted("Whether there is such an account is not told."),
        refusals: [.mailUnavailable, .tooManyAttempts]
    )

    static let reset = Operation(
        id: "resetPassword",
        group: .mail,
        summary: "Set a new password by the link; all sessions end",
        fields: [.required("token", .text("Of the link.")), .required("newPassword", newPassword)],
        answer: .done("The password is set."),
        refusals: [.linkInvalid, .tooManyAttempts] + passwordRefusals
    )

    static let emailChange = Operation(
        id: "changeEmail",
        group: .mail,
        summary: "Change the address, and send a link there",
        access: .session,
        fields: [.required("email", .text())],
        answer: .ok("The account.", .named(.account)),
        refusals: [.emailInvalid, .mailUnavailable, .recentSignInRequired, .tooManyAttempts]
    )

    static let verificationRequest = Operation(
        id: "requestEmailVerification",
        group: .mail,
        summary: "Send the link once more",
        access: .session,
        answer: .accepted("It is on its way."),
        refusals: [.emailInvalid, .mailUnavailable, .tooManyAttempts]
    )

    static let verificationCancellation = Operation(
        id: "cancelEmailVerification",
        group: .mail,
        summary: "Drop the address that waits to be confirmed, and its link",
        access: .session,
        answer: .done("No address waits.")
    )

    static let verification = Operation(
        id: "verifyEmail",
        group: .mail,
        summary: "Prove an address by the link, with a session of its account",
        access: .session,
        fields: [.required("token", .text("Of the link."))],
        answer: .ok("The account.", .named(.account)),
        refusals: [.linkInvalid, .tooManyAttempts]
    )
}

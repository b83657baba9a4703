/// The texts of the app, which all its user interfaces share.
public enum JuiceTexts {
    /// The app's name.
    public static let appName = "Juice"

    /// The text while the app checks whether a user is signed in.
    public static let launching = "One moment…"
    /// The text while an action is running.
    public static let busy = "Please wait…"
    /// The title above the buttons for signing in.
    public static let loginTitle = "Sign in"
    /// The reason why Apple comes first.
    public static let loginLead =
        "With Apple you need no password, and you can hide your email address."
    /// The label of Apple's button.
    public static let signInWithApple = "Sign in with Apple"
    /// The label of the button for a sign-in in the browser.
    public static let signInWithBrowser = "Sign in with the browser"
    /// The label of the form's button.
    public static let signIn = "Sign in"
    /// The heading of the form for a password.
    public static let passwordHeading = "Or with a password"
    /// The label of the button that opens the form for a new account.
    public static let createAccount = "Create an account"
    /// The label of the field with which a user signs in.
    public static let usernameOrEmail = "Email or username"
    /// The label of the username field.
    public static let username = "Username"
    /// The label of the password's field.
    public static let password = "Password"
    /// The label of the name's field, which may stay empty.
    public static let nameOptional = "Name (optional)"
    /// The label of the button that returns to the previous screen.
    public static let back = "Back"
    /// The reason why the form is filled in.
    public static func storedPassword(of user: String) -> String {
        "This device has a password for \(user)."
    }
    /// The label of the button that signs in with a stored password.
    public static func useStoredPassword(of user: String) -> String { "Sign in as \(user)" }

    /// The title of the screen after a sign-in.
    public static let resultTitle = "You are signed in"
    /// The label of Apple's identifier.
    public static let identifier = "Identifier"
    /// The label of the given name.
    public static let givenName = "Given name"
    /// The label of the family name.
    public static let familyName = "Family name"
    /// The label of the email address.
    public static let email = "Email"
    /// The text for a missing name.
    public static let noName = "No name"
    /// The text for a missing email address.
    public static let noEmail = "No email"
    /// The text for Apple's identifier in an account without Apple.
    public static let noIdentifier = "Not linked to an Apple Account"
    /// An explanation of relay addresses.
    public static let relayExplained =
        "This is a private relay address: Apple forwards its mail to you, and the app does not "
        + "know your own address."
    /// The text for a relay address with forwarding turned off.
    public static let relayIsOff =
        "Forwarding is turned off in your Apple Account: mail to this address does not reach you."
    /// The text for an email address that is not verified yet.
    public static let emailIsUnproved =
        "To confirm this address, open the link in the email that we sent to it."
    /// The text while the server has not confirmed the session.
    public static let notConfirmed =
        "The server has not responded yet. This is your information from last time."
    /// The label of the button that opens the account.
    public static let openAccount = "Account"
    /// The label of the button that opens the secure task.
    public static let openSecureTask = "Secure task"
    /// The label of the button that signs out.
    public static let signOut = "Sign out"
}

extension JuiceTexts {
    /// The title of the account's screen.
    public static let accountTitle = "Account"
    /// The label of the name.
    public static let name = "Name"
    /// The label of the sign-in methods.
    public static let waysIn = "Sign-in methods"
    /// The sign-in method with Apple.
    public static let appleWayIn = "Apple"
    /// The sign-in method with Apple, after the user turned it off there.
    public static let appleWayInStopped = "Apple (turned off in your Apple Account)"
    /// The sign-in method with a password.
    public static func passwordWayIn(_ username: String) -> String { "Password (\(username))" }
    /// The label of the day on which the account was created.
    public static let memberSince = "Member since"
    /// The label of the button that opens the name's form, and the form's title.
    public static let changeName = "Change name"
    /// The label of a button that saves the input.
    public static let save = "Save"
    /// The label of the button that fetches an access token.
    public static func showAccessToken(for audience: String) -> String {
        "Access token for \(audience)"
    }
    /// An access token that was fetched.
    public static func accessToken(_ token: String) -> String {
        "Valid for five minutes: \(token)"
    }
    /// The label of the button that opens the sessions, and their title.
    public static let sessions = "Sessions"
    /// The mark of this device's session.
    public static let thisDevice = "this device"
    /// The name of a device without a name.
    public static let unknownDevice = "Unknown device"
    /// The day on which a session was last used.
    public static func lastUsed(_ day: String) -> String { "last used \(day)" }
    /// The label of the button that ends a session.
    public static func endSession(_ device: String) -> String { "End: \(device)" }
    /// The label of the button that ends all other sessions.
    public static let endOtherSessions = "Sign out everywhere else"
    /// The label of the button that links Apple.
    public static let linkApple = "Link Apple Account"
    /// The label of the button that unlinks Apple.
    public static let unlinkApple = "Unlink Apple Account"
    /// The reason why Apple cannot be unlinked.
    public static let appleIsOnlyWayIn =
        "Apple is your only sign-in method. Set a password before you unlink it."
    /// The label of the button that opens the password's form.
    public static let changePassword = "Change password"
    /// The label of the button that opens the form for a first password.
    public static let setPassword = "Set a password"
    /// The label of the field for the current password.
    public static let currentPassword = "Current password"
    /// The label of the field for the new password.
    public static let newPassword = "New password"
    /// The title of the screen for reauthentication.
    public static let confirmTitle = "Is it you?"
    /// The reason for the reauthentication.
    public static func confirmLead(_ username: String) -> String {
        "Please sign in again. Enter the password for \(username)."
    }
    /// The label of the button that confirms.
    public static let confirm = "Confirm"
    /// The label of the button that opens the deletion.
    public static let deleteAccount = "Delete account"
    /// The effect of a deletion.
    public static let deletionLead =
        "Your account and your data here are permanently deleted, and the link with your Apple Account "
        + "is removed. If you signed in long ago, you are asked to sign in again."
    /// The effect of a deletion when the server cannot revoke the link with Apple.
    public static let deletionLeadWithLink =
        "Your account and your data here are permanently deleted. The link with your Apple Account "
        + "remains: remove it yourself in Settings, under your name, Sign in with Apple, or at "
        + "account.apple.com. If you signed in long ago, you are asked to sign in again."
    /// The label of the button that deletes.
    public static let deleteForGood = "Delete my account"
    /// The label of the button that cancels the deletion.
    public static let keepAccount = "Keep my account"

    /// The title of the secure task.
    public static let secureTaskTitle = "Secure task"
    /// An explanation of the secure task.
    public static let secureTaskLead =
        "Before the recipe is shown, the app asks whether you still use Sign in with Apple here."
    /// The label of the button that runs the task.
    public static let runSecureTask = "Show the recipe"
    /// The label of the button that requires a new sign-in first.
    public static let runSecureTaskFresh = "Sign in again, then show it"
    /// The label of the task's result.
    public static let recipe = "Recipe"
    /// The task's result.
    public static let recipeText = "Three oranges, one lemon, a little ginger, and no sugar."
}

extension JuiceTexts {
    /// The notice after a sign-out.
    public static let signedOut = "You are signed out."
    /// The notice after another attempt that did not reach the server.
    public static let stillPending = "The server still does not respond."
    /// The notice after a name was changed.
    public static let nameSaved = "Your name is saved."
    /// The notice after a session was ended.
    public static let sessionEnded = "The session has ended."
    /// The notice after all other sessions were ended.
    public static let otherSessionsEnded = "All other sessions have ended."
    /// The notice after Apple was linked.
    public static let appleLinked = "Your Apple Account is linked."
    /// The notice after Apple was unlinked.
    public static let appleUnlinked = "Your Apple Account is no longer linked."
    /// The notice after a password was changed or set.
    public static let passwordSaved = "Your password is saved. All other sessions have ended."
    /// The notice after the password was given again.
    public static let confirmed = "Thank you. You can continue now."
    /// The notice after the deletion.
    public static let accountDeleted = "Your account has been deleted."
    /// The notice after the secure task.
    public static let secureTaskDone = "You are still signed in: here is the recipe."
}

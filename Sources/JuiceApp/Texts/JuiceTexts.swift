/// Every sentence that the app says, in one place: its windows and its terminal say the same.
public enum JuiceTexts {
    /// What the app is called.
    public static let appName = "Juice"

    /// While the app finds out who is signed in.
    public static let launching = "One moment…"
    /// While an action is under way.
    public static let busy = "Please wait…"
    /// The title above the buttons for signing in.
    public static let loginTitle = "Sign in"
    /// Why Apple comes first.
    public static let loginLead =
        "With Apple you need no password, and your e-mail address can stay hidden."
    /// The label of Apple's button.
    public static let signInWithApple = "Sign in with Apple"
    /// The label of the way through the browser.
    public static let signInWithBrowser = "Sign in with the browser"
    /// The label of the form's button.
    public static let signIn = "Sign in"
    /// The heading of the form for a password.
    public static let passwordHeading = "Or with a password"
    /// The label of the way to a new account.
    public static let createAccount = "Create an account"
    /// The label of the user name's field.
    public static let username = "Username"
    /// The label of the password's field.
    public static let password = "Password"
    /// The label of the name's field, which may stay empty.
    public static let nameOptional = "Name (optional)"
    /// The label of the way back.
    public static let back = "Back"
    /// Why the form is filled in already.
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
    /// The label of the e-mail address.
    public static let email = "E-mail"
    /// What stands for a name that nobody told.
    public static let noName = "No name"
    /// What stands for an address that nobody told.
    public static let noEmail = "No e-mail"
    /// What stands for Apple's identifier in an account without Apple.
    public static let noIdentifier = "Not linked to an Apple Account"
    /// What a relay address is.
    public static let relayExplained =
        "This is an address of Apple's relay: mail to it is forwarded to you, and the app does not "
        + "know your own address."
    /// What it means that forwarding is off.
    public static let relayIsOff =
        "Forwarding is turned off in your Apple Account: mail to this address does not reach you."
    /// What it means that nobody has proved yet whose address it is.
    public static let emailIsUnproved =
        "Open the link in the mail that was sent to this address, to prove that it is yours."
    /// What it means that the server has not been heard from.
    public static let notConfirmed =
        "The server has not answered yet. This is what the app knows from last time."
    /// The label of the way to the account.
    public static let openAccount = "Account"
    /// The label of the way to the secure task.
    public static let openSecureTask = "Secure task"
    /// The label of the button that signs out.
    public static let signOut = "Sign out"
}

extension JuiceTexts {
    /// The title of the account's screen.
    public static let accountTitle = "Account"
    /// The label of the name.
    public static let name = "Name"
    /// The label of the ways in.
    public static let waysIn = "Ways in"
    /// The way in by Apple.
    public static let appleWayIn = "Apple"
    /// The way in by Apple, after the person stopped using the app there.
    public static let appleWayInStopped = "Apple (stopped in your Apple Account)"
    /// The way in by password.
    public static func passwordWayIn(_ username: String) -> String { "Password (\(username))" }
    /// The label of the day on which the account was made.
    public static let memberSince = "Member since"
    /// The label of the way to the name's form, and of its title.
    public static let changeName = "Change name"
    /// The label of a button that keeps what was typed.
    public static let save = "Save"
    /// The label of the way to the sessions, and their title.
    public static let sessions = "Sessions"
    /// Marks the session of this device.
    public static let thisDevice = "this device"
    /// What a device without a name is called.
    public static let unknownDevice = "Unknown device"
    /// When a session was used last.
    public static func lastUsed(_ day: String) -> String { "last used \(day)" }
    /// The label of the button that ends a session.
    public static func endSession(_ device: String) -> String { "End: \(device)" }
    /// The label of the button that ends all other sessions.
    public static let endOtherSessions = "Sign out everywhere else"
    /// The label of the button that links Apple.
    public static let linkApple = "Link Apple Account"
    /// The label of the button that unlinks Apple.
    public static let unlinkApple = "Unlink Apple Account"
    /// Why Apple can't be unlinked.
    public static let appleIsOnlyWayIn =
        "Apple is the only way into this account. Set a password before you unlink it."
    /// The label of the way to the password's form.
    public static let changePassword = "Change password"
    /// The label of the way to a first password.
    public static let setPassword = "Set a password"
    /// The label of the field of the present password.
    public static let currentPassword = "Current password"
    /// The label of the field of the next password.
    public static let newPassword = "New password"
    /// The title of the screen that asks for the password once more.
    public static let confirmTitle = "Is it you?"
    /// Why the password is asked for once more.
    public static func confirmLead(_ username: String) -> String {
        "This needs a fresh sign-in. Type the password of \(username)."
    }
    /// The label of the button that confirms.
    public static let confirm = "Confirm"
    /// The label of the way to the deletion.
    public static let deleteAccount = "Delete account"
    /// What deletion does.
    public static let deletionLead =
        "Your account and your data here are removed for good, and the link with your Apple Account "
        + "ends. You are asked to sign in once more."
    /// What deletion does when the server can't end the link with Apple.
    public static let deletionLeadWithLink =
        "Your account and your data here are removed for good. The link with your Apple Account stays: "
        + "end it yourself in Settings, at your name, Sign in with Apple, or at account.apple.com. You "
        + "are asked to sign in once more."
    /// The label of the button that deletes.
    public static let deleteForGood = "Delete my account"
    /// The label of the way back from the deletion.
    public static let keepAccount = "Keep my account"

    /// The title of the secure task.
    public static let secureTaskTitle = "Secure task"
    /// What the secure task is.
    public static let secureTaskLead =
        "Before the recipe is shown, the app asks whether you still use Sign in with Apple here."
    /// The label of the button that runs the task.
    public static let runSecureTask = "Show the recipe"
    /// The label of the button that asks for a fresh sign-in first.
    public static let runSecureTaskFresh = "Sign in again, then show it"
    /// The label of what the task shows.
    public static let recipe = "Recipe"
    /// What the task shows.
    public static let recipeText = "Three oranges, one lemon, a little ginger, and no sugar."
}

extension JuiceTexts {
    /// After a sign-out.
    public static let signedOut = "You are signed out."
    /// After another attempt that did not reach the server.
    public static let stillPending = "The server still does not answer."
    /// After a name was changed.
    public static let nameSaved = "Your name is saved."
    /// After a session was ended.
    public static let sessionEnded = "The session has ended."
    /// After all other sessions were ended.
    public static let otherSessionsEnded = "All other sessions have ended."
    /// After Apple was linked.
    public static let appleLinked = "Your Apple Account is linked."
    /// After Apple was unlinked.
    public static let appleUnlinked = "Your Apple Account is no longer linked."
    /// After a password was changed or set.
    public static let passwordSaved = "Your password is saved. All other sessions have ended."
    /// After the password was given once more.
    public static let confirmed = "Thank you. Now do it again."
    /// After the deletion.
    public static let accountDeleted = "Your account has been deleted."
    /// After the secure task.
    public static let secureTaskDone = "You are still signed in: here is the recipe."
}

/// The sentences of the simulated device and of the terminal itself; those of the app are in `JuiceTexts`.
enum DeviceTexts {
    static let deviceName = "Simulated device"
    static let quit = "Quit"
    static let settings = "Settings of the device"
    static let keys = "Tab or arrows: move   Enter: choose   Esc: back   Ctrl-C: quit"
    static let moreBelow = "(more below: PgDn)  "
    static let moreAbove = "(more above: PgUp)  "
    static let shortKeys = "Tab Enter Esc Ctrl-C"

    static func choose(_ numbers: ClosedRange<Int>) -> String {
        "Choose \(numbers.lowerBound)-\(numbers.upperBound):"
    }
    static func choose(_ numbers: ClosedRange<Int>, current: String) -> String {
        "Choose \(numbers.lowerBound)-\(numbers.upperBound) [\(TerminalText.line(current))] "
            + "(Enter keeps it):"
    }
    static let noSuchChoice = "There is no such choice. Type its number or its name."
    static let changedMeanwhile =
        "Something has happened meanwhile, so that your answer does not count."
    static func question(_ label: String, current: String) -> String {
        current.isEmpty ? label + ":" : "\(label) [\(current)] (Enter keeps it, - empties it):"
    }

    static let browserTitle = "Browser"
    static let browserLead =
        "Sign in on the page that opens in the browser. If none opens, open this address on this machine:"
    static let waitingKeys = "Please wait…   Esc: give up   Ctrl-C: quit"
    static let waitingLine = "Please wait… (Control-C quits.)"

    static let sheetTitle = "Sign in with Apple"
    static func sheetLead(app: String, developer: String) -> String {
        developer.isEmpty
            ? "\(app) asks you to sign in with your Apple Account."
            : "\(app) by \(developer) asks you to sign in with your Apple Account."
    }
    static let account = "Apple Account"
    static let givenName = "Given name"
    static let familyName = "Family name"
    static let email = "E-mail"
    static let hideEmail = "Hide my e-mail"
    static let continueButton = "Continue"
    static let cancel = "Cancel"
    static let refuseFace = "Let Face ID fail"
    static func usePassword(of user: String) -> String { "Use the password of \(user)" }

    static let noAppleAccountTitle = "No Apple Account"
    static let noAppleAccount =
        "Nobody is signed in to this device. Sign in to an Apple Account in Settings, then try again."
    static let noTwoFactorTitle = "Two-factor authentication is off"
    static let noTwoFactor =
        "Sign in with Apple needs an Apple Account with two-factor authentication."
    static let openSettings = "Open Settings"
    static let done = "Close"

    static let settingsTitle = "Settings"
    static let accountLead =
        "Sign in to an Apple Account of the emulator. Those of the demo are "
        + "maya@example.com and noah@example.com; their password is apple."
    static let emailAddress = "E-mail address"
    static let password = "Password"
    static let signIn = "Sign in to the device"
    static let signOut = "Sign out of the Apple Account"
    static let appsHeading = "Apps that use Sign in with Apple"
    static let noApps = "None."
    static func stopUsing(_ app: String) -> String { "Stop using Apple Account with \(app)" }
    static func stopForwarding(_ app: String) -> String { "Turn forwarding off for \(app)" }
    static func forward(_ app: String) -> String { "Turn forwarding on for \(app)" }
    static func removePassword(_ user: String) -> String { "Remove the password of \(user)" }
    static let trialsHeading = "To try what goes wrong"
    static let twoFactorOff = "Turn two-factor authentication off"
    static let twoFactorOn = "Turn two-factor authentication on"
    static let slowSeconds = 3
    static let answerSlowly = "Answer after \(slowSeconds) seconds"
    static let answerAtOnce = "Answer at once"
    static let back = "Back to the app"
    static let stopped = "The app no longer uses your Apple Account."

    static let checkAndTryAgain = "Check what you typed, and that siwa demo runs; then try again."
    static let notKept = "The device could not write its folder."
    static let tryOtherFolder = "Start siwa app with another folder: --data DIR."

    static let savePasswordTitle = "Save the password?"
    static func savePassword(of user: String) -> String {
        "The device can keep the password of \(user), and offer it the next time."
    }
    static let save = "Save"
    static let notNow = "Not now"
}

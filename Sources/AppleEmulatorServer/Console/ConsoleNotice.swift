import HTMLPages

/// The result of the last form, named in the query of the next page.
enum ConsoleNotice: String, CaseIterable {
    case reset
    case signInPlayed = "sign-in-played"
    case secretWillFail = "secret-will-fail"
    case secretRefused = "secret-refused"
    case brokenSecretPlayed = "broken-secret-played"
    case mailSent = "mail-sent"
    case personAdded = "person-added"
    case personDeleted = "person-deleted"
    case stoppedUsing = "stopped-using"
    case forwardingOn = "forwarding-on"
    case forwardingOff = "forwarding-off"
    case personSaved = "person-saved"
    case registered
    case saved
    case removed
    case transferred
    case keyAdded = "key-added"
    case rotated
    case replied
    case mailCleared = "mail-cleared"
    case notificationSent = "notification-sent"
    case settingsChanged = "settings-changed"
    case clockMoved = "clock-moved"
    case faultAdded = "fault-added"
    case faultsCleared = "faults-cleared"
    case switchChanged = "switch-changed"
    case switchesReset = "switches-reset"

    static let parameter = "done"

    func text(in words: PageStrings) -> String { words["done-\(rawValue)"] }
}

/// What was done last, as the address after it names it.
enum ConsoleNotice: String, CaseIterable {
    case reset
    case personAdded = "person-added"
    case personDeleted = "person-deleted"
    case stoppedUsing = "stopped-using"
    case forwardingOn = "forwarding-on"
    case forwardingOff = "forwarding-off"
    case registered
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

    /// The parameter that carries it.
    static let parameter = "done"

    var text: String {
        switch self {
        case .reset: "Everything is back to the seed."
        case .personAdded: "The person is added."
        case .personDeleted: "The Apple Account is deleted, and every app they used is told."
        case .stoppedUsing: "The person no longer uses the app; its server is told."
        case .forwardingOn:
            "Mail to the relay address is forwarded again; the app’s server is told."
        case .forwardingOff:
            "Mail to the relay address is refused from now on; the app’s server is told."
        case .registered: "It is registered."
        case .transferred: "The app belongs to the other team; for 60 days its people can be moved."
        case .keyAdded: "The key is registered."
        case .rotated: "Apple signs with new keys from now on."
        case .replied: "The answer is on its way."
        case .mailCleared: "The inboxes are empty."
        case .notificationSent: "The notification is made; the list shows its deliveries."
        case .settingsChanged: "The settings are changed."
        case .clockMoved: "Apple’s clock is moved."
        case .faultAdded: "The fault is added; it applies to the next requests."
        case .faultsCleared: "No fault is left."
        case .switchChanged: "The switch is set."
        case .switchesReset: "Every switch is back to the seed’s value."
        }
    }
}

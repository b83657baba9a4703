/// The result of the last form, named in the query of the next page.
enum ConsoleNotice: String, CaseIterable {
    case reset, signInPlayed, secretWillFail, secretRefused, brokenSecretPlayed, mailSent
    case tourHidden, tourShown
    case personAdded, personDeleted, personSaved, stoppedUsing, forwardingOn, forwardingOff
    case registered, saved, removed, transferred, keyAdded, rotated
    case replied, mailCleared, notificationSent, settingsChanged
    case clockMoved, faultAdded, faultsCleared, switchChanged, switchesReset

    static let parameter = "done"

    var text: String {
        switch self {
        case .reset: "The emulator was reset to the seed."
        case .signInPlayed: "The console signed in; the tour shows each request."
        case .secretWillFail: "Apple refuses the next client secret; now sign in again."
        case .secretRefused:
            "Apple refused the client secret, as you requested in step 3; it accepts the next one."
        case .brokenSecretPlayed:
            "The console sent a broken client secret; the tour shows why Apple refuses it."
        case .mailSent: "The message was sent; the tour shows its path."
        case .tourHidden: "The tour is hidden."
        case .tourShown: "The tour is shown again."
        case .personAdded: "The person was added."
        case .personDeleted: "The Apple Account was deleted; its apps are notified."
        case .stoppedUsing: "The person stopped using the app; its server is notified."
        case .forwardingOn:
            "Mail to the relay address is forwarded again; the app’s server is notified."
        case .forwardingOff:
            "Mail to the relay address is now refused; the app’s server is notified."
        case .personSaved: "The account was changed."
        case .registered: "The registration was added."
        case .saved: "The registration was changed."
        case .removed: "The registration was removed."
        case .transferred: "The app was transferred; its users can be migrated for 60 days."
        case .keyAdded: "The key was registered."
        case .rotated: "Apple now signs with new keys."
        case .replied: "The reply was sent."
        case .mailCleared: "The inboxes are empty."
        case .notificationSent: "The notification was created; the list shows its deliveries."
        case .settingsChanged: "The settings were saved."
        case .clockMoved: "Apple’s clock was changed."
        case .faultAdded: "The fault was added; it applies to the next requests."
        case .faultsCleared: "All faults were cleared."
        case .switchChanged: "The switch was changed."
        case .switchesReset: "All switches were reset to the seed’s values."
        }
    }
}

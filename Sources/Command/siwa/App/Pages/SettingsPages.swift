import AppleIdentity
import JuiceApp
import SimulatedAuthenticationServices

enum SettingsPages {
    enum Action: Hashable, Sendable {
        case signIn, signOut, stopUsing(ClientID), setForwarding(Bool, ClientID)
        case setTwoFactor(Bool), setSlow(Bool), removePassword(String), back
    }

    static func page(
        account: String?,
        offering email: String,
        apps: [UsedApp],
        switches: DeviceSwitches,
        passwordUsers: [String]
    ) -> TerminalPage<Action> {
        var items = account.map { signedIn($0, apps) } ?? signedOut(offering: email)
        items += trials(switches)
        items += passwordUsers.map {
            .action(label: "Remove the password of \($0)", .removePassword($0))
        }
        items += [.heading(""), .action(label: "Back to the app", .back)]
        return TerminalPage(
            title: "Settings",
            speaker: .device,
            items: items
        )
    }

    /// Failures of real devices, to simulate.
    private static func trials(_ switches: DeviceSwitches) -> [PageItem<Action>] {
        let hasTwoFactor = switches.hasTwoFactor ?? true
        let isSlow = switches.delay > .zero
        return [
            .heading("Simulate failures"),
            .action(
                label: hasTwoFactor
                    ? "Turn two-factor authentication off" : "Turn two-factor authentication on",
                .setTwoFactor(!hasTwoFactor)
            ),
            .action(
                label: isSlow
                    ? "Respond at once" : "Respond after \(DeviceSettings.slowSeconds) seconds",
                .setSlow(!isSlow)
            ),
        ]
    }

    private static let accountLead =
        "Sign in to an Apple Account of the emulator. Those of the demo are "
        + "maya@example.com and noah@example.com; their password is apple."

    private static func signedOut(offering email: String) -> [PageItem<Action>] {
        let fields: [PageField] = [
            .text(FieldName.email, "Email address", email),
            .secret(FieldName.password, "Password"),
        ]
        return [
            .text(accountLead), .action(label: "Sign in to the device", .signIn, fields: fields),
        ]
    }

    private static func signedIn(_ account: String, _ apps: [UsedApp]) -> [PageItem<Action>] {
        var items: [PageItem<Action>] = [
            .fact(label: "Apple Account", value: account),
            .heading("Apps that use Sign in with Apple"),
        ]
        if apps.isEmpty { items.append(.text("None.")) }
        for app in apps {
            items.append(
                .action(label: "Stop using Apple Account with \(app.name)", .stopUsing(app.id))
            )
            if case .hidden(_, let isForwarded) = app.email {
                let label = "Turn forwarding \(isForwarded ? "off" : "on") for \(app.name)"
                items.append(.action(label: label, .setForwarding(!isForwarded, app.id)))
            }
        }
        return items + [.action(label: "Sign out of the Apple Account", .signOut)]
    }
}

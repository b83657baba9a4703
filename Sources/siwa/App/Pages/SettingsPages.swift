import AppleIdentity
import JuiceApp
import SimulatedAuthenticationServices

/// The device's Settings as pages.
enum SettingsPages {
    /// What a person can do in Settings.
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
    ) -> Page<Action> {
        var items = account.map { signedIn($0, apps) } ?? signedOut(offering: email)
        items += trials(switches)
        items += passwordUsers.map {
            .action(label: DeviceTexts.removePassword($0), .removePassword($0))
        }
        items += [.heading(""), .action(label: DeviceTexts.back, .back)]
        return Page(
            // Another name for another form, so that the focus does not stay where a button was.
            name: account == nil ? "settings-signed-out" : "settings",
            title: DeviceTexts.settingsTitle,
            speaker: .device,
            items: items,
            cancel: .back
        )
    }

    /// What goes wrong on real devices, to be tried out.
    private static func trials(_ switches: DeviceSwitches) -> [PageItem<Action>] {
        let hasTwoFactor = switches.hasTwoFactor ?? true
        let isSlow = switches.delay > .zero
        return [
            .heading(DeviceTexts.trialsHeading),
            .action(
                label: hasTwoFactor ? DeviceTexts.twoFactorOff : DeviceTexts.twoFactorOn,
                .setTwoFactor(!hasTwoFactor)
            ),
            .action(
                label: isSlow ? DeviceTexts.answerAtOnce : DeviceTexts.answerSlowly,
                .setSlow(!isSlow)
            ),
        ]
    }

    private static func signedOut(offering email: String) -> [PageItem<Action>] {
        let fields: [PageField] = [
            .text(FieldName.email, DeviceTexts.emailAddress, email),
            .secret(FieldName.password, DeviceTexts.password),
        ]
        return [.text(DeviceTexts.accountLead), .form(fields, label: DeviceTexts.signIn, .signIn)]
    }

    private static func signedIn(_ account: String, _ apps: [UsedApp]) -> [PageItem<Action>] {
        var items: [PageItem<Action>] = [
            .fact(label: DeviceTexts.account, value: account),
            .heading(DeviceTexts.appsHeading),
        ]
        if apps.isEmpty { items.append(.note(DeviceTexts.noApps)) }
        for app in apps {
            items.append(.action(label: DeviceTexts.stopUsing(app.name), .stopUsing(app.id)))
            if case .hidden(_, let isForwarded) = app.email {
                let label =
                    isForwarded
                    ? DeviceTexts.stopForwarding(app.name) : DeviceTexts.forward(app.name)
                items.append(.action(label: label, .setForwarding(!isForwarded, app.id)))
            }
        }
        return items + [.heading(""), .action(label: DeviceTexts.signOut, .signOut)]
    }
}

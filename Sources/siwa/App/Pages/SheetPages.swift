import AppleIdentity
import SimulatedAuthenticationServices

/// The sheets and alerts of the device as pages.
enum SheetPages {
    /// What a person can do with a sheet.
    enum Action: Hashable, Sendable {
        case agree, usePassword(String), refuseFace, openSettings, cancel
    }

    static func page(of sheet: AuthorizationSheet) -> Page<Action> {
        var items: [PageItem<Action>] = [
            .text(DeviceTexts.sheetLead(app: sheet.appName, developer: sheet.developer))
        ]
        if let account = sheet.account {
            items += [
                .fact(label: DeviceTexts.account, value: account), .heading(""),
                .form(fields(of: sheet), label: DeviceTexts.continueButton, .agree),
            ]
        }
        items += sheet.passwordUsers.map {
            .action(label: DeviceTexts.usePassword(of: $0), .usePassword($0))
        }
        items += [
            .action(label: DeviceTexts.cancel, .cancel),
            .action(label: DeviceTexts.refuseFace, .refuseFace),
        ]
        return Page(
            name: "sheet",
            title: DeviceTexts.sheetTitle,
            speaker: .device,
            items: items,
            cancel: .cancel
        )
    }

    /// The device's answer for a person's.
    static func answer(_ answer: PageAnswer<Action>?, to sheet: AuthorizationSheet) -> SheetAnswer {
        switch answer?.action {
        case .agree:
            let name = PersonName(
                givenName: answer?[FieldName.givenName],
                familyName: answer?[FieldName.familyName]
            )
            let email = answer?[FieldName.email] ?? ""
            return .continue(name: sheet.asksName ? name : nil, email: choice(email, of: sheet))
        case .usePassword(let user): return .usePasswordOf(user)
        case .refuseFace: return .refuseFace
        case .openSettings, .cancel, nil: return .cancel
        }
    }

    static func page(of alert: SystemAlert) -> Page<Action> {
        let (title, text) =
            switch alert {
            case .noAppleAccount: (DeviceTexts.noAppleAccountTitle, DeviceTexts.noAppleAccount)
            case .noTwoFactor: (DeviceTexts.noTwoFactorTitle, DeviceTexts.noTwoFactor)
            }
        return Page(
            name: "alert",
            title: title,
            speaker: .device,
            items: [
                .text(text), .action(label: DeviceTexts.openSettings, .openSettings),
                .action(label: DeviceTexts.done, .cancel),
            ],
            cancel: .cancel
        )
    }

    private static func choice(_ email: String, of sheet: AuthorizationSheet) -> EmailChoice {
        if email == DeviceTexts.hideEmail { return .hide }
        return email.isEmpty || email == sheet.addresses.first ? .share : .other(email)
    }

    private static func fields(of sheet: AuthorizationSheet) -> [PageField] {
        var fields: [PageField] = []
        if sheet.asksName {
            fields += [
                .text(FieldName.givenName, DeviceTexts.givenName, sheet.name.givenName),
                .text(FieldName.familyName, DeviceTexts.familyName, sheet.name.familyName),
            ]
        }
        if sheet.asksEmail {
            let choices = sheet.addresses + (sheet.canHideEmail ? [DeviceTexts.hideEmail] : [])
            fields.append(
                PageField(
                    name: FieldName.email,
                    label: DeviceTexts.email,
                    value: choices.first ?? "",
                    kind: .choice(choices)
                )
            )
        }
        return fields
    }
}

import AppleIdentity
import SimulatedAuthenticationServices

enum SheetPages {
    enum Action: Hashable, Sendable {
        case consent, usePassword(String), refuseFace, openSettings, cancel
    }

    private static let hideEmail = "Hide my email"
    private static let noAppleAccount =
        "No user is signed in to this device. Sign in to an Apple Account in Settings, then try again."

    static func page(of sheet: AuthorizationSheet) -> TerminalPage<Action> {
        let developer = sheet.developer.isEmpty ? "" : " by \(sheet.developer)"
        let app = sheet.appName + developer
        var items: [PageItem<Action>] = [
            .text(
                "\(app) asks you to sign in with "
                    + (sheet.account == nil ? "a saved password." : "your Apple Account.")
            )
        ]
        if let account = sheet.account {
            items += [
                .fact(label: "Apple Account", value: account),
                .action(label: "Continue", .consent, fields: fields(of: sheet)),
            ]
        }
        items += sheet.passwordUsers.map {
            .action(label: "Use the password of \($0)", .usePassword($0))
        }
        items += [
            .action(label: "Cancel", .cancel),
            .action(label: "Let Face ID fail", .refuseFace),
        ]
        return TerminalPage(
            title: sheet.account == nil ? "Sign in" : "Sign in with Apple",
            speaker: .device,
            items: items
        )
    }

    static func answer(_ answer: PageAnswer<Action>?, to sheet: AuthorizationSheet) -> SheetAnswer {
        switch answer?.action {
        case .consent:
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

    static func page(of alert: SystemAlert) -> TerminalPage<Action> {
        let (title, text) =
            switch alert {
            case .noAppleAccount: ("No Apple Account", noAppleAccount)
            case .noTwoFactor:
                (
                    "Two-factor authentication is off",
                    "Sign in with Apple needs an Apple Account with two-factor authentication."
                )
            }
        return TerminalPage(
            title: title,
            speaker: .device,
            items: [
                .text(text), .action(label: "Open Settings", .openSettings),
                .action(label: "Close", .cancel),
            ]
        )
    }

    private static func choice(_ email: String, of sheet: AuthorizationSheet) -> EmailChoice {
        if email == hideEmail { return .hide }
        return email.isEmpty || email == sheet.addresses.first ? .share : .other(email)
    }

    private static func fields(of sheet: AuthorizationSheet) -> [PageField] {
        var fields: [PageField] = []
        if sheet.asksName {
            fields += [
                .text(FieldName.givenName, "Given name", sheet.name.givenName),
                .text(FieldName.familyName, "Family name", sheet.name.familyName),
            ]
        }
        if sheet.asksEmail {
            let choices = sheet.addresses + (sheet.canHideEmail ? [hideEmail] : [])
            fields.append(
                PageField(
                    name: FieldName.email,
                    label: "Email",
                    value: choices.first ?? "",
                    kind: .choice(choices)
                )
            )
        }
        return fields
    }
}

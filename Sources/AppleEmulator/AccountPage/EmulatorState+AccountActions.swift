import AppleIdentity
import HTTPTypes

/// What a person does on the account page: the same as through the control port, notifications too.
extension EmulatorState {
    mutating func stopUsing(
        _ fields: FormFields,
        _ person: Person
    ) throws(OAuthRefusal) -> Outcome {
        let app = try accountApp(fields, of: person)
        try Self.carryOut(.unknownApp) { () throws(ControlRefusal) in
            try stopUsing(person.account.email, clientID: app.group.rawValue)
        }
        return done(.stopped, app)
    }

    mutating func switchForwarding(
        _ fields: FormFields,
        _ person: Person
    ) throws(OAuthRefusal) -> Outcome {
        let app = try accountApp(fields, of: person)
        let isEnabled: Bool
        switch fields["enabled"] {
        case "true": isEnabled = true
        case "false": isEnabled = false
        default:
            throw .account(.notUnderstood, "enabled is neither true nor false")
        }
        try Self.carryOut(.noRelayAddress) { () throws(ControlRefusal) in
            try setForwarding(
                person.account.email,
                clientID: app.group.rawValue,
                isEnabled: isEnabled
            )
        }
        return done(isEnabled ? .forwardingOn : .forwardingOff, app)
    }

    mutating func chooseForwardingAddress(
        _ fields: FormFields,
        _ person: Person
    ) throws(OAuthRefusal) -> Outcome {
        guard let address = fields["address"], person.account.addresses.contains(address) else {
            throw .account(.chooseAddress, "address is none of \(person.account.email)'s")
        }
        _ = people.update(person.id) { $0.forwardingAddress = address }
        return Self.toAccount(.forwardTo)
    }

    mutating func deleteAccount(
        _ fields: FormFields,
        _ person: Person,
        _ visit: AccountVisit
    ) throws(OAuthRefusal) -> Outcome {
        guard fields["understood"] == "yes" else {
            return accountPage(
                deletion(of: person),
                to: visit,
                status: .badRequest,
                problem: .understandFirst,
                reason: "understood is not yes"
            )
        }
        try Self.carryOut(.outOfDate) { () throws(ControlRefusal) in
            try deletePerson(person.account.email)
        }
        return ending(visit, .deleted)
    }

    mutating func signOut(_ visit: AccountVisit) -> Outcome { ending(visit, .signedOut) }

    private mutating func ending(_ visit: AccountVisit, _ notice: AccountNotice) -> Outcome {
        if let identifier = visit.sessionIdentifier { authorizations.sessions.remove(identifier) }
        var outcome = Self.toAccount(notice)
        outcome.answer.response.headerFields[.setCookie] =
            BrowserSession.endingCookie(isSecure: visit.isSecure)
        return outcome
    }

    /// Back to the app while it is still used, else to the list.
    private func done(_ notice: AccountNotice, _ app: AccountApp) -> Outcome {
        var outcome = Self.toAccount(notice)
        if notice != .stopped {
            outcome.answer.response.headerFields[.location] =
                AccountRoute.app.address(of: app.group.rawValue)
                + "&\(AccountNotice.parameter)=\(notice.rawValue)"
        }
        outcome.remark.clientID = app.group.rawValue
        return outcome
    }

    private static func carryOut(
        _ problem: PageProblem,
        _ action: () throws(ControlRefusal) -> Void
    ) throws(OAuthRefusal) {
        do throws(ControlRefusal) {
            try action()
        } catch {
            throw .account(problem, error.message, status: .conflict)
        }
    }
}

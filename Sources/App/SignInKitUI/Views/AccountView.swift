#if canImport(AuthenticationServices) && canImport(SwiftUI)
    import SignInKit
    import SwiftUI

    /// The user's account: profile, sign-in methods, sessions, sign-out and deletion.
    ///
    /// Tint, fonts, button styles and the locale of the environment apply to it. If the server requires a recent sign-in,
    /// the view asks for the password, or Apple's sheet or the server's page appears.
    public struct AccountView<Sections: View>: View {
        /// The section whose action ran last, which shows its error.
        private enum Place { case profile, access, devices, ending }

        private let session: SignInSession
        private let sections: Sections
        @Environment(\.locale) private var locale
        @State private var place: Place?
        @State private var givenName = ""
        @State private var familyName = ""
        @State private var email = ""
        @State private var isChangingEmail = false
        @State private var sessions: [SessionSummary] = []
        @State private var isChangingPassword = false
        @State private var isUnlinking = false
        @State private var isDeleting = false
        @State private var confirmed: (@MainActor () async -> Void)?

        /// Creates the view with sections of your own, above those for the sign-out and the deletion.
        ///
        /// - Parameters:
        ///   - session: the app's session. The view is empty if no user is signed in.
        ///   - sections: your sections.
        public init(_ session: SignInSession, @ViewBuilder sections: () -> Sections) {
            self.session = session
            self.sections = sections()
        }

        /// The view's body.
        public var body: some View {
            Form {
                if let account = session.person?.account {
                    profile(account)
                    access(account)
                    devices
                    sections
                    ending(account)
                }
            }
            .formStyle(.grouped)
            .disabled(session.isBusy)
            .modifier(ErrorAnnouncement(session: isChangingPassword ? nil : session))
            .modifier(PasswordConfirmation(session: session, confirmed: $confirmed))
            .alert(failureTitle, isPresented: isFailureShown) {
            } message: {
                Text(session.error?.localizedMessage(in: locale) ?? "")
            }
            .task(id: session.person?.account.id) { await load() }
        }

        @ViewBuilder private func errorLabel(_ here: Place) -> some View {
            if place == here, !isChangingPassword { ErrorLabel(session: session) }
        }

        private func profile(_ account: AccountProfile) -> some View {
            Section {
                if isFamilyNameFirst {
                    familyNameField
                    givenNameField
                } else {
                    givenNameField
                    familyNameField
                }
                if name != account.parts {
                    ActionButton(.saveButton) {
                        await perform(.profile) { try await $0.rename(to: name) }
                    }
                }
                if let email = account.email {
                    LabeledContent(UIText.email.text(locale), value: email)
                }
                emailChange(account)
                errorLabel(.profile)
            } header: {
                Text(UIText.accountTitle.text(locale))
            } footer: {
                if let note = account.emailNote { Text(note.text(locale)) }
            }
        }

        private var givenNameField: some View {
            TextField(UIText.givenName.text(locale), text: $givenName)
                .textContentType(.givenName)
                .accessibilityIdentifier(UIText.givenName.identifier)
        }

        private var familyNameField: some View {
            TextField(UIText.familyName.text(locale), text: $familyName)
                .textContentType(.familyName)
                .accessibilityIdentifier(UIText.familyName.identifier)
        }

        @ViewBuilder private func emailChange(_ account: AccountProfile) -> some View {
            let label = account.email == nil ? UIText.addEmail : .changeEmail
            if let address = account.pendingEmail {
                Text(UIText.emailPending.text(locale, "address", address))
                ActionButton(.resendButton) { await changeEmail(to: address) }
                ActionButton(.cancelEmailChangeButton) {
                    await perform(.profile) { try await $0.cancelEmailChange() }
                }
            }
            ActionButton(label) { isChangingEmail = true }
                .alert(label.text(locale), isPresented: $isChangingEmail) {
                    EmailField(address: $email)
                    ActionButton(.sendLinkButton) { await changeEmail(to: email) }
                    Button(UIText.cancelLink.text(locale), role: .cancel) {}
                } message: {
                    Text(UIText.emailChangeNote.text(locale))
                }
        }

        private func access(_ account: AccountProfile) -> some View {
            Section {
                if let username = account.username {
                    LabeledContent(UIText.password.text(locale), value: username)
                }
                ActionButton(account.username == nil ? .addPassword : .changePassword) {
                    (place, session.error, isChangingPassword) = (.access, nil, true)
                }
                .sheet(isPresented: $isChangingPassword) {
                    PasswordView(session: session, isFirst: account.username == nil)
                }
                if account.apple == nil {
                    linkButton
                } else if account.username != nil {
                    unlinkButton
                }
                errorLabel(.access)
            } header: {
                Text(UIText.accessHeading.text(locale))
            } footer: {
                if account.apple != nil, account.username == nil {
                    Text(UIText.onlyWayNote.text(locale))
                }
            }
        }

        private var unlinkButton: some View {
            ActionButton(.unlinkLabel) { isUnlinking = true }
                .confirmationDialog(
                    UIText.unlinkTitle.text(locale),
                    isPresented: $isUnlinking,
                    titleVisibility: .visible
                ) {
                    ActionButton(.unlinkButton, role: .destructive) {
                        await performConfirmed(.access) { try await $0.unlinkApple() }
                    }
                } message: {
                    Text(UIText.unlinkEndsSignIn.text(locale))
                }
        }

        @ViewBuilder private var linkButton: some View {
            #if !os(watchOS) && !os(tvOS)
                AppleSignInButton(.continue) {
                    Task { await link() }
                }
            #else
                ActionButton(.appleHeading) { await link() }
            #endif
        }

        private var devices: some View {
            Section(UIText.sessionsHeading.text(locale)) {
                ForEach(sessions) { device in
                    let name =
                        device.device.isEmpty ? UIText.unknownDevice.text(locale) : device.device
                    LabeledContent(name, value: lastUse(of: device))
                    if !device.isCurrent {
                        Button(
                            UIText.endSession.text(locale, "device", name),
                            role: .destructive
                        ) {
                            Task { await end(device) }
                        }
                        .accessibilityIdentifier(UIText.endSession.identifier)
                    }
                }
                if sessions.count > 1 {
                    ActionButton(.endOthersButton, role: .destructive) {
                        await perform(.devices) { try await $0.endOtherSessions() }
                        await loadSessions()
                    }
                }
            }
        }

        private func lastUse(of device: SessionSummary) -> String {
            if device.isCurrent { return UIText.thisDevice.text(locale) }
            let format = Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale)
            return device.lastUsedAt.formatted(format)
        }

        private func ending(_ account: AccountProfile) -> some View {
            Section {
                ActionButton(.signOutButton) {
                    place = .ending
                    await session.signOut()
                }
                ActionButton(.deleteHeading, role: .destructive) { isDeleting = true }
                    .confirmationDialog(
                        UIText.deleteHeading.text(locale),
                        isPresented: $isDeleting,
                        titleVisibility: .visible
                    ) {
                        ActionButton(.deleteButton, role: .destructive) {
                            await performConfirmed(.ending) { try await $0.deleteAccount() }
                        }
                        Button(UIText.keepAccountLink.text(locale), role: .cancel) {}
                    } message: {
                        Text(deletionMessage(account))
                    }
            }
        }

        private func deletionMessage(_ account: AccountProfile) -> String {
            let text = UIText.deletionOfData.text(locale)
            guard account.appleLinkRemains else { return text }
            let app = Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String
            return text + " " + UIText.appleLinkRemains.text(locale, "app", app ?? "")
        }
    }

    extension AccountView where Sections == EmptyView {
        /// Creates the view.
        ///
        /// - Parameter session: the app's session. The view is empty if no user is signed in.
        public init(_ session: SignInSession) { self.init(session) { EmptyView() } }
    }

    extension AccountView {
        private var name: PersonName {
            PersonName(
                givenName: givenName.isEmpty ? nil : givenName,
                familyName: familyName.isEmpty ? nil : familyName
            )
        }

        private var isFamilyNameFirst: Bool {
            ["ja", "ko", "zh", "hu"].contains(locale.language.languageCode?.identifier)
        }

        private var failureTitle: String {
            (place == .ending ? UIText.deleteHeading : .sessionsHeading).text(locale)
        }

        /// A failed deletion or end of a session must not be overlooked at the end of the form.
        private var isFailureShown: Binding<Bool> {
            Binding {
                session.error != nil && (place == .ending || place == .devices)
            } set: { isShown in
                if !isShown { session.error = nil }
            }
        }

        /// Loads in the background, so the buttons stay usable.
        private func load() async {
            // Nothing of another user may stay.
            (email, sessions, confirmed, place) = ("", [], nil, nil)
            let shown = showName()
            _ = try? await session.client.refreshAccount()
            // The user may be writing already.
            if name == shown { _ = showName() }
            await loadSessions()
        }

        private func showName() -> PersonName {
            let parts = session.person?.account.parts ?? PersonName()
            (givenName, familyName) = (parts.givenName ?? "", parts.familyName ?? "")
            return name
        }

        private func loadSessions() async {
            sessions = (try? await session.client.sessions()) ?? sessions
        }

        private func end(_ device: SessionSummary) async {
            await perform(.devices) { try await $0.endSession(device.id) }
            await loadSessions()
        }

        private func link() async {
            await performConfirmed(.access) { try await $0.linkApple() }
        }

        private func changeEmail(to address: String) async {
            await performConfirmed(.profile) { try await $0.changeEmail(to: address) }
        }

        private func perform(
            _ here: Place,
            _ operation: @MainActor (SignInClient) async throws -> some Sendable
        ) async {
            place = here
            await session.perform(operation)
            if session.error == nil { place = nil }
        }

        /// Runs an operation that may need a recent sign-in, and repeats it after the password.
        private func performConfirmed(
            _ here: Place,
            _ operation: @escaping @MainActor (SignInClient) async throws -> some Sendable
        ) async {
            await perform(here, operation)
            if session.error?.asksForFreshSignIn == true, session.person?.account.username != nil {
                (session.error, confirmed) = (nil, { await performConfirmed(here, operation) })
            }
        }
    }

    extension AccountProfile {
        /// The parts of the name; a name in one line counts as the given name.
        fileprivate var parts: PersonName {
            let isWhole = givenName == nil && familyName == nil
            return PersonName(givenName: isWhole ? name : givenName, familyName: familyName)
        }

        /// What the user should know about the email address.
        fileprivate var emailNote: UIText? {
            guard email != nil else { return nil }
            guard emailIsPrivateRelay else { return emailIsVerified ? nil : .unverified }
            return emailDeliverable ? .privateRelay : .forwardingOff
        }
    }
#endif

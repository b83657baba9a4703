#if canImport(AuthenticationServices) && canImport(SwiftUI)
    import SignInKit
    import SwiftUI

    /// The user's account: profile, sign-in methods, sessions, sign-out and deletion.
    ///
    /// Tint, fonts and button styles of the environment apply to it. If the server requires a recent sign-in, the view
    /// asks for the password, or Apple's sheet appears.
    public struct AccountView: View {
        private let session: SignInSession
        @State private var name = ""
        @State private var email = ""
        @State private var isChangingEmail = false
        @State private var sessions: [SessionSummary] = []
        @State private var isChangingPassword = false
        @State private var isUnlinking = false
        @State private var isDeleting = false
        @State private var confirmed: (@MainActor () async -> Void)?

        /// Creates the view.
        ///
        /// - Parameter session: the app's session. The view is empty if no user is signed in.
        public init(_ session: SignInSession) {
            self.session = session
        }

        /// The view's body.
        public var body: some View {
            Form {
                ErrorSection(session: session)
                if let account = session.person?.account {
                    profile(account)
                    access(account)
                    devices
                    ending(account)
                }
            }
            .formStyle(.grouped)
            .disabled(session.isBusy)
            .modifier(PasswordConfirmation(session: session, confirmed: $confirmed))
            .task { await load() }
        }

        private func profile(_ account: AccountProfile) -> some View {
            Section {
                TextField(UIText.name.text, text: $name)
                    .textContentType(.name)
                if name != account.name ?? "" {
                    ActionButton(.saveButton) {
                        await session.perform { try await $0.rename(to: name) }
                    }
                }
                if let email = account.email {
                    LabeledContent(UIText.email.text, value: email)
                }
                emailChange(account)
            } header: {
                Text(UIText.accountTitle.text)
            } footer: {
                if let note = account.emailNote { Text(note.text) }
            }
        }

        @ViewBuilder private func emailChange(_ account: AccountProfile) -> some View {
            let label = account.email == nil ? UIText.addEmail.text : UIText.changeEmail.text
            if let address = account.pendingEmail {
                Text(UIText.emailPending.text("address", address))
                ActionButton(.resendButton) { await changeEmail(to: address) }
                ActionButton(.cancelEmailChangeButton) {
                    await session.perform { try await $0.cancelEmailChange() }
                }
            }
            Button(label) { isChangingEmail = true }
                .alert(label, isPresented: $isChangingEmail) {
                    EmailField(address: $email)
                    ActionButton(.sendLinkButton) { await changeEmail(to: email) }
                    Button(UIText.cancelLink.text, role: .cancel) {}
                } message: {
                    Text(UIText.emailChangeNote.text)
                }
        }

        private func access(_ account: AccountProfile) -> some View {
            Section {
                if let username = account.username {
                    LabeledContent(UIText.password.text, value: username)
                }
                Button((account.username == nil ? UIText.addPassword : .changePassword).text) {
                    isChangingPassword = true
                }
                .sheet(isPresented: $isChangingPassword) {
                    PasswordView(session: session, isFirst: account.username == nil)
                }
                if account.apple == nil {
                    linkButton
                } else if account.username != nil {
                    Button(UIText.unlinkLabel.text) { isUnlinking = true }
                        .confirmationDialog(
                            UIText.unlinkTitle.text,
                            isPresented: $isUnlinking,
                            titleVisibility: .visible
                        ) {
                            ActionButton(.unlinkButton, role: .destructive) {
                                await performConfirmed { try await $0.unlinkApple() }
                            }
                        } message: {
                            Text(UIText.unlinkEndsSignIn.text)
                        }
                }
            } header: {
                Text(UIText.accessHeading.text)
            } footer: {
                if account.apple != nil, account.username == nil { Text(UIText.onlyWayNote.text) }
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
            Section(UIText.sessionsHeading.text) {
                ForEach(sessions) { device in
                    let name = device.device.isEmpty ? UIText.unknownDevice.text : device.device
                    LabeledContent(
                        name,
                        value: device.isCurrent
                            ? UIText.thisDevice.text
                            : device.lastUsedAt.formatted(date: .abbreviated, time: .shortened)
                    )
                    if !device.isCurrent {
                        Button(UIText.endSession.text("device", name), role: .destructive) {
                            Task {
                                await session.perform { try await $0.endSession(device.id) }
                                await loadSessions()
                            }
                        }
                    }
                }
                if sessions.count > 1 {
                    ActionButton(.endOthersButton, role: .destructive) {
                        await session.perform { try await $0.endOtherSessions() }
                        await loadSessions()
                    }
                }
            }
        }

        private func ending(_ account: AccountProfile) -> some View {
            Section {
                ActionButton(.signOutButton) { await session.signOut() }
                Button(UIText.deleteHeading.text, role: .destructive) { isDeleting = true }
                    .confirmationDialog(
                        UIText.deleteHeading.text,
                        isPresented: $isDeleting,
                        titleVisibility: .visible
                    ) {
                        ActionButton(.deleteButton, role: .destructive) {
                            await performConfirmed { try await $0.deleteAccount() }
                        }
                        Button(UIText.keepAccountLink.text, role: .cancel) {}
                    } message: {
                        Text(deletionMessage(account))
                    }
            }
        }

        private func deletionMessage(_ account: AccountProfile) -> String {
            guard account.appleLinkRemains else { return UIText.deletionOfData.text }
            let app = Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String
            return UIText.deletionOfData.text + " "
                + UIText.appleLinkRemains.text("app", app ?? "")
        }
    }

    extension AccountView {
        private func load() async {
            name = session.person?.account.name ?? ""
            await session.perform { try await $0.refreshAccount() }
            name = session.person?.account.name ?? name
            await loadSessions()
        }

        private func loadSessions() async {
            guard session.person != nil else { return }
            sessions = await session.perform { try await $0.sessions() } ?? sessions
        }

        private func link() async { await performConfirmed { try await $0.linkApple() } }

        private func changeEmail(to address: String) async {
            await performConfirmed { try await $0.changeEmail(to: address) }
        }

        /// Runs an operation that may need a recent sign-in, and repeats it after the password.
        private func performConfirmed(
            _ operation: @escaping @MainActor (SignInClient) async throws -> some Sendable
        ) async {
            await session.perform(operation)
            if session.error?.asksForFreshSignIn == true {
                confirmed = { await performConfirmed(operation) }
            }
        }
    }

    extension AccountProfile {
        /// What the user should know about the email address.
        fileprivate var emailNote: UIText? {
            guard email != nil else { return nil }
            guard emailIsPrivateRelay else { return emailIsVerified ? nil : .unverified }
            return emailDeliverable ? .privateRelay : .forwardingOff
        }
    }
#endif

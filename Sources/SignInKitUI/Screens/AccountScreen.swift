#if canImport(AuthenticationServices) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SignInKit
    import SwiftUI

    #if os(macOS)
        import AppKit
    #else
        import UIKit
    #endif

    /// The account: profile, address, ways in, sessions, sign-out and deletion.
    public struct AccountScreen: View {
        private let person: SignedInPerson
        @Bindable private var model: SignInModel
        @State private var isDeleting = false
        @State private var password = ""

        /// Makes the screen.
        ///
        /// - Parameters:
        ///   - person: who is signed in.
        ///   - model: what is shown and done.
        public init(_ person: SignedInPerson, model: SignInModel) {
            self.person = person
            _model = Bindable(wrappedValue: model)
        }

        /// The screen.
        public var body: some View {
            let facts = AccountFacts(person.account)
            Form {
                ProfileSection(facts: facts, isConfirmed: person.isConfirmed)
                WaysInSection(facts: facts, model: model)
                SessionsSection(model: model)
                Section {
                    Button("Sign Out") {
                        Task { await model.signOut() }
                    }
                    Button("Delete Account", role: .destructive) {
                        isDeleting = true
                    }
                } footer: {
                    FailureText(model: model)
                }
            }
            .formStyle(.grouped)
            .disabled(model.isWorking)
            .task { await model.refresh() }
            .refreshable { await model.refresh() }
            .confirmationDialog(
                "Delete your account?",
                isPresented: $isDeleting,
                titleVisibility: .visible
            ) {
                Button("Delete Account", role: .destructive) {
                    Task { await model.deleteAccount() }
                }
            } message: {
                Text("This deletes all your data, and ends the use of your Apple Account here.")
            }
            .alert("Please enter your password", isPresented: $model.asksForPassword) {
                SecureField("Password", text: $password).textContentType(.password)
                Button("Continue") { confirm() }
                Button("Cancel", role: .cancel) { password = "" }
            }
        }

        private func confirm() {
            let typed = password
            password = ""
            Task { await model.confirm(with: typed) }
        }
    }

    /// Name and address; an address of Apple's relay is explained.
    struct ProfileSection: View {
        let facts: AccountFacts
        let isConfirmed: Bool

        var body: some View {
            Section {
                LabeledContent("Name", value: facts.name)
                if let email = facts.email {
                    LabeledContent("E-mail", value: email)
                }
            } footer: {
                VStack(alignment: .leading) {
                    if let note = facts.addressNote { Text(note.sentence) }
                    if !isConfirmed { Text("Not confirmed yet: the server was not reached.") }
                }
            }
        }
    }

    /// Apple and password: what there is, what can be added or taken away.
    struct WaysInSection: View {
        let facts: AccountFacts
        let model: SignInModel

        var body: some View {
            Section("Ways to sign in") {
                if facts.usesApple {
                    Label("Using Sign in with Apple", systemImage: "apple.logo")
                    if facts.canUnlinkApple {
                        Button("Stop Using Sign in with Apple", role: .destructive) {
                            Task { await model.unlinkApple() }
                        }
                    }
                } else {
                    AppleSignInButton(.continue) {
                        Task { await model.linkApple() }
                    }
                }
                if let username = facts.username {
                    LabeledContent("Username", value: username)
                }
            }
        }
    }

    /// The devices on which the person is signed in.
    struct SessionsSection: View {
        let model: SignInModel

        var body: some View {
            Section("Sessions") {
                ForEach(model.sessions) { session in
                    LabeledContent {
                        if session.isCurrent {
                            Text("This device")
                        } else {
                            Button("End", role: .destructive) {
                                Task { await model.end(session) }
                            }
                            .buttonStyle(.borderless)
                        }
                    } label: {
                        Text(session.device)
                        Text(session.lastUsedAt, style: .date)
                    }
                }
            }
        }
    }
#endif

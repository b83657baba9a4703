#if canImport(AuthenticationServices) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SignInKit
    import SwiftUI

    /// The app's content for whoever is signed in, and the ways in for everybody else.
    public struct SignInGate<Content: View>: View {
        @Environment(\.scenePhase) private var scenePhase
        private let title: LocalizedStringKey
        private let model: SignInModel
        private let content: (SignedInPerson) -> Content

        /// Makes the gate.
        ///
        /// - Parameters:
        ///   - title: what stands above the ways in, mostly the app's name.
        ///   - model: what is shown and done.
        ///   - content: the app, for the person who is signed in.
        public init(
            _ title: LocalizedStringKey,
            model: SignInModel,
            @ViewBuilder content: @escaping (SignedInPerson) -> Content
        ) {
            self.title = title
            self.model = model
            self.content = content
        }

        /// The screen for what is known of the person.
        public var body: some View {
            ZStack {
                switch model.screen {
                case .launching: ProgressView()
                case .signIn: SignInScreen(title, model: model)
                case .attention(let attention): AttentionScreen(attention, model: model)
                case .content(let person): content(person)
                }
            }
            .task { [model] in await model.run() }
            .onChange(of: scenePhase) { _, phase in
                // The person may have come from Settings, where they stopped using the app.
                if phase == .active, model.screen != .launching {
                    Task { await model.lookAgain() }
                }
            }
        }
    }
#endif

#if canImport(AuthenticationServices) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI

    /// The system's Sign in with Apple button.
    ///
    /// It adapts to light and dark mode, and its height to the type size.
    ///
    /// It fills the available width, at least 140 points. Use `frame(maxWidth:)` to limit it.
    public struct AppleSignInButton: View {
        @Environment(\.colorScheme) private var colorScheme
        @ScaledMetric private var scale = 1.0
        private let label: AppleButtonLabel
        private let style: AppleButtonStyle
        private let metrics: AppleButtonMetrics
        private let action: @MainActor () -> Void

        /// Creates a button with the given values.
        ///
        /// - Parameters:
        ///   - label: the button's label.
        ///   - style: its colours.
        ///   - metrics: its height and corners.
        ///   - action: called when the user presses the button.
        public init(
            _ label: AppleButtonLabel = .signIn,
            style: AppleButtonStyle = .automatic,
            metrics: AppleButtonMetrics = AppleButtonMetrics(),
            action: @escaping @MainActor () -> Void
        ) {
            self.label = label
            self.style = style
            self.metrics = metrics
            self.action = action
        }

        /// The view's body.
        public var body: some View {
            let look = AppleButtonLook(
                label: label,
                shown: style.shown(isDark: colorScheme == .dark)
            )
            AppleButtonRepresentable(
                look: look,
                cornerRadius: metrics.cornerRadius,
                action: action
            )
            .id(look)
            .frame(minWidth: AppleButtonMetrics.minimumWidth, maxWidth: .infinity)
            .frame(height: metrics.height * scale)
            .padding(metrics.margin)
        }
    }
#endif

#if canImport(AuthenticationServices) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI

    /// Apple's own button, which follows light and dark and keeps within Apple's limits.
    ///
    /// It is as wide as it may be; a `frame` around it makes it narrower.
    public struct AppleSignInButton: View {
        @Environment(\.colorScheme) private var colorScheme
        private let label: AppleButtonLabel
        private let style: AppleButtonStyle
        private let metrics: AppleButtonMetrics
        private let action: @MainActor () -> Void

        /// Makes a button.
        ///
        /// - Parameters:
        ///   - label: what it says.
        ///   - style: its colours.
        ///   - metrics: its height and corners.
        ///   - action: what a press does.
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

        /// The button, made again when the appearance changes.
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
            .frame(height: metrics.height)
            .padding(metrics.margin)
        }
    }
#endif

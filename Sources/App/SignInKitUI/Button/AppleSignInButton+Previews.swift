#if canImport(AuthenticationServices) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI

    /// The button in eight sizes: its text follows the frame and can't be set; none gets narrower than 140 points.
    struct AppleSignInButtonPreviews: PreviewProvider {
        private static let sizes: [(width: Double, height: Double)] = [
            (130, 30), (200, 30), (260, 30), (130, 50), (130, 100), (200, 100), (260, 100),
            (300, 100),
        ]

        static var previews: some View {
            column.preferredColorScheme(.light).previewDisplayName("Light")
            column.preferredColorScheme(.dark).previewDisplayName("Dark")
            corners.previewDisplayName("Corners")
        }

        @MainActor private static var column: some View {
            ScrollView {
                ForEach(sizes.indices, id: \.self) { index in
                    AppleSignInButton(metrics: AppleButtonMetrics(height: sizes[index].height)) {}
                        .frame(width: sizes[index].width)
                }
            }
        }

        @MainActor private static var corners: some View {
            VStack {
                ForEach([0, 6, .infinity], id: \.self) { (radius: Double) in
                    AppleSignInButton(
                        .continue,
                        style: .outlined,
                        metrics: AppleButtonMetrics(cornerRadius: radius)
                    ) {}
                }
            }
            .padding()
        }
    }
#endif

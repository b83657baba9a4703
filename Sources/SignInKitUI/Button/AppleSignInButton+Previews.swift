#if canImport(AuthenticationServices) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI

    /// The button in eight sizes: its text follows the frame and can't be set; none gets narrower than 140 points.
    struct AppleSignInButtonPreviews: PreviewProvider {
        private struct Size: Hashable {
            let width: Double
            let height: Double
        }

        private static let sizes = [
            Size(width: 130, height: 30), Size(width: 200, height: 30),
            Size(width: 260, height: 30), Size(width: 130, height: 50),
            Size(width: 130, height: 100), Size(width: 200, height: 100),
            Size(width: 260, height: 100), Size(width: 300, height: 100),
        ]

        static var previews: some View {
            column.preferredColorScheme(.light).previewDisplayName("Light")
            column.preferredColorScheme(.dark).previewDisplayName("Dark")
            corners.previewDisplayName("Corners")
        }

        @MainActor private static var column: some View {
            ScrollView {
                ForEach(sizes, id: \.self) { size in
                    AppleSignInButton(metrics: AppleButtonMetrics(height: size.height)) {}
                        .frame(width: size.width)
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

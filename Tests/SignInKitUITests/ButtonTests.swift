import Testing

@testable import SignInKitUI

/// What Apple's guidelines allow of the button.
@Suite struct ButtonTests {
    @Test(
        arguments: [
            (44, 6, 44, 6), (30, 15, 30, 15), (29, 6, 30, 6), (-1, 100, 30, 15), (44, -1, 44, 0),
            (100, 51, 100, 50), (44, .infinity, 44, 22), (44, .nan, 44, 6), (.infinity, 6, 44, 6),
            (.nan, 30, 44, 22),
        ] as [(Double, Double, Double, Double)]
    )
    func heightAndCornersStayWithinTheLimits(
        height: Double,
        cornerRadius: Double,
        expectedHeight: Double,
        expectedRadius: Double
    ) {
        let metrics = AppleButtonMetrics(height: height, cornerRadius: cornerRadius)
        #expect(metrics.height == expectedHeight)
        #expect(metrics.cornerRadius == expectedRadius)
        #expect(metrics.margin == expectedHeight / 10)
    }

    @Test func aBlackButtonStandsOnLightAndAWhiteOneOnDark() {
        #expect(AppleButtonStyle.automatic.shown(isDark: false) == .black)
        #expect(AppleButtonStyle.automatic.shown(isDark: true) == .white)
    }

    @Test func anOutlineNeverStandsOnDark() {
        #expect(AppleButtonStyle.outlined.shown(isDark: false) == .whiteOutline)
        for style in AppleButtonStyle.allCases {
            #expect(style.shown(isDark: true) != .whiteOutline)
        }
    }

    @Test(arguments: [true, false]) func aStyleThatIsChosenStays(isDark: Bool) {
        #expect(AppleButtonStyle.black.shown(isDark: isDark) == .black)
        #expect(AppleButtonStyle.white.shown(isDark: isDark) == .white)
    }

    @Test func anotherLookIsAnotherButton() {
        let black = AppleButtonLook(label: .signIn, shown: .black)
        #expect(black != AppleButtonLook(label: .signIn, shown: .white))
        #expect(black != AppleButtonLook(label: .continue, shown: .black))
    }
}

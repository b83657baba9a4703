import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird

/// The control port's pages for people; tests and programs use its JSON.
struct Console: Sendable {
    let emulator: AppleEmulator
    let renderer: EmulatorPageRenderer
    let addresses: @Sendable () -> EmulatorAddresses?
    /// Whether a page has shown all steps of the tour as done.
    let tourWasShownDone = LockedValue(false)

    var routes: [ConsoleRoute] {
        overviewRoutes + tourRoutes + peopleRoutes + appRoutes + clientRoutes + keyRoutes
            + inboxRoutes
            + notificationRoutes + clockRoutes + faultRoutes + requestRoutes
    }

    func add(to router: Router<PortContext>) {
        for route in routes { route.add(to: router, of: self) }
        router.get("console/**") { _, _ in
            await failure(.notFound, in: .overview).response
        }
    }

    func answer(
        _ page: ConsolePage,
        notice: ConsoleNotice? = nil,
        error: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async -> ControlAnswer {
        let clock = ConsoleText.time(await emulator.consoleClock()["now"]) + " UTC"
        let frame = ConsoleFrame(clock: clock, notice: notice?.text, error: error)
        return .page(renderer.render(page, in: frame), Self.fields(of: page), status)
    }

    private static func fields(of page: ConsolePage) -> HTTPFields {
        if page.framesMail { return PageSecurity.consoleMailFields }
        if page.isLive { return PageSecurity.consoleLiveFields }
        return page.drawsFlows ? PageSecurity.consoleFlowFields : PageSecurity.consoleFields
    }

    func failure(
        _ problem: ControlProblem,
        in section: ConsoleSection
    ) async -> ControlAnswer {
        let page = ConsolePage(
            section,
            title: ConsoleText.title(of: problem.status),
            template: "console-failure",
            content: [
                "sentence": .string(ConsoleText.sentence(problem.message)),
                "back": .string(section.path),
                "back_title": .string("Back to \(section.title)"),
            ]
        )
        return await answer(page, status: problem.status)
    }
}

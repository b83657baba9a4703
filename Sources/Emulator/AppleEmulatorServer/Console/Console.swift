import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird

/// The control port's pages for people; tests and programs use its JSON.
struct Console: Sendable {
    let renderer: EmulatorPageRenderer
    let addresses: @Sendable () -> EmulatorAddresses?

    var routes: [ConsoleRoute] {
        overviewRoutes + tourRoutes + peopleRoutes + appRoutes + clientRoutes + keyRoutes
            + inboxRoutes
            + notificationRoutes + clockRoutes + faultRoutes + requestRoutes
    }

    func add(to router: Router<ControlContext>) {
        for route in routes { route.add(to: router, of: self) }
        router.get("console/**") { _, context in
            await failure(.notFound, in: .overview, of: context.world).response(in: context.world)
        }
    }

    func answer(
        _ page: ConsolePage,
        in world: World,
        notice: ConsoleNotice? = nil,
        error: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async -> ControlAnswer {
        let clock = ConsoleText.time(await world.emulator.consoleClock()["now"]) + " UTC"
        let frame = ConsoleFrame(
            clock: clock,
            world: world.name?.text,
            notice: notice?.text,
            error: error
        )
        return .page(renderer.render(page, in: frame), Self.fields(of: page), status)
    }

    private static func fields(of page: ConsolePage) -> HTTPFields {
        if page.framesMail { return PageSecurity.consoleMailFields }
        if page.isLive { return PageSecurity.consoleLiveFields }
        if page.submitsChanges { return PageSecurity.consoleChangeFields }
        return page.drawsFlows ? PageSecurity.consoleFlowFields : PageSecurity.consoleFields
    }

    func failure(
        _ problem: ControlProblem,
        in section: ConsoleSection,
        of world: World
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
        return await answer(page, in: world, status: problem.status)
    }
}

import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTMLPages
import HTTPTypes
import Hummingbird

/// The control port's pages for people; tests and programs use its JSON.
struct Console: Sendable {
    let emulator: AppleEmulator
    let renderer: PageRenderer
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
        router.get("console/**") { request, _ in
            let language = PageLanguage(preferredBy: request.headers[.acceptLanguage])
            return await failure(.notFound, in: .overview, language).response
        }
    }

    func answer(
        _ page: ConsolePage,
        in language: PageLanguage,
        notice: ConsoleNotice? = nil,
        error: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async -> ControlAnswer {
        let clock = ConsoleText.time(await emulator.consoleClock()["now"]) + " UTC"
        let words = renderer.consoleWords(of: language)
        let frame = ConsoleFrame(
            language,
            clock: clock,
            notice: notice?.text(in: words),
            error: error
        )
        return .page(renderer.render(page, in: frame), Self.fields(of: page), status)
    }

    private static func fields(of page: ConsolePage) -> HTTPFields {
        if page.framesMail { return PageSecurity.consoleMailFields }
        if page.isLive { return PageSecurity.consoleLiveFields }
        return page.drawsFlows ? PageSecurity.consoleFlowFields : PageSecurity.consoleFields
    }

    func failure(
        _ problem: ControlProblem,
        in section: ConsoleSection,
        _ language: PageLanguage
    ) async -> ControlAnswer {
        let words = renderer.consoleWords(of: language)
        let page = ConsolePage(
            section,
            title: ConsoleText.title(of: problem.status, words),
            template: "console-failure",
            content: [
                "sentence": .string(ConsoleText.sentence(problem.message)),
                "back": .string(section.path),
                "back_title": .string(words.text("backTo", ["page": section.title(in: words)])),
            ]
        )
        return await answer(page, in: language, status: problem.status)
    }
}

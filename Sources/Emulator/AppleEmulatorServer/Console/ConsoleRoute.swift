import AppleEmulator
import AppleEmulatorPages
import HTTPTypes
import Hummingbird

/// One path of the console: the page that it shows, and the action of a form posted to it.
///
/// A refused form shows the same page again, with the reason at the invalid field.
struct ConsoleRoute {
    typealias Page = @Sendable (ConsoleVisit) async throws -> ConsolePage
    typealias Action = @Sendable (ConsoleVisit) async throws -> ConsoleOutcome

    let path: RouterPath
    let section: ConsoleSection
    let page: Page
    let action: Action?

    init(_ path: String, _ section: ConsoleSection, page: @escaping Page, action: Action? = nil) {
        self.path = RouterPath(path)
        (self.section, self.page, self.action) = (section, page, action)
    }

    func add(to router: Router<ControlContext>, of console: Console) {
        router.get(path) { request, context in
            await answer(console, context.world) {
                let visit = ConsoleVisit(request, context: context)
                return await console.answer(
                    try await page(visit),
                    in: visit.world,
                    notice: visit.notice
                )
            }
        }
        if let action {
            router.post(path) { request, context in
                await answer(console, context.world) {
                    let visit = try await ConsoleVisit.posted(request, context: context)
                    return try await answer(console, visit, action)
                }
            }
        }
        let allowed: [HTTPRequest.Method] = action == nil ? [.get, .head] : [.get, .head, .post]
        for method in ControlRoute.methods where !allowed.contains(method) {
            router.on(path, method: method) { _, context in
                var response = await answer(console, context.world) {
                    throw ControlProblem.notAllowed(allowed)
                }
                response.headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
                return response
            }
        }
    }

    private func answer(
        _ console: Console,
        _ visit: ConsoleVisit,
        _ action: Action
    ) async throws -> ControlAnswer {
        do {
            switch try await action(visit) {
            case .done(let notice, let path, let part):
                let query = "?\(ConsoleNotice.parameter)=\(notice.rawValue)"
                return .seeOther(path + query + (part.map { "#" + $0 } ?? ""))
            case .shown(let page, let notice):
                return await console.answer(page, in: visit.world, notice: notice)
            }
        } catch let refusal as ControlRefusal {
            var again = visit
            again.refusal = refusal
            return await console.answer(
                try await page(again),
                in: visit.world,
                error: ConsoleText.sentence(refusal.message),
                status: ControlProblem(refusal).status
            )
        }
    }

    private func answer(
        _ console: Console,
        _ world: World,
        _ body: () async throws -> ControlAnswer
    ) async -> Response {
        let problem: ControlProblem
        do {
            return try await body().response(in: world)
        } catch let refusal as ControlRefusal {
            problem = ControlProblem(refusal)
        } catch let found as ControlProblem {
            problem = found
        } catch {
            problem = .malformed("The request can't be read: \(error)")
        }
        return await console.failure(problem, in: section, of: world).response(in: world)
    }
}

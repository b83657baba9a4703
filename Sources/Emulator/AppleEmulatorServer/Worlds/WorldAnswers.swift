import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTTPTypes

/// Passes each request to Apple's port to the emulator of its world.
struct WorldAnswers: Sendable {
    let worlds: Worlds
    let renderer: EmulatorPageRenderer
    /// The address of the control port; nil before it listens.
    let console: @Sendable () -> URL?

    func answer(
        _ request: HTTPRequest,
        _ body: Result<Data, RequestProblem>
    ) async -> EmulatorAnswer {
        let choice: WorldChoice
        let emulator: AppleEmulator
        do {
            choice = try WorldChoice(request)
            emulator = try await self.emulator(for: request, body, choice)
        } catch let refusal as WorldChoice.Refusal {
            return await refuse(request, "\(refusal.field) \(refusal.problem)")
        } catch let refusal as Worlds.Refusal {
            return await refuse(request, refusal.reason)
        } catch {
            return await refuse(request, "the world can't be created: \(error)")
        }
        var request = request
        request.path = choice.path
        var answer = await answer(request, body, emulator, console: console(in: choice))
        if let cookie = choice.cookie { answer.response.headerFields.append(cookie) }
        return answer
    }

    private func emulator(
        for request: HTTPRequest,
        _ body: Result<Data, RequestProblem>,
        _ choice: WorldChoice
    ) async throws -> AppleEmulator {
        switch choice.selection {
        case .unnamed: return worlds.unnamed
        case .named(let name):
            return try await worlds.world(name, mayMake: choice.mayMakeWorld).emulator
        case .silent: break
        }
        let data = (try? body.get()) ?? Data()
        let owner = await worlds.owner(of: request, body: data, remembered: choice.remembered)
        let isForKeys = request.path?.hasPrefix(ApplePath.keys) == true
        if isForKeys, owner === worlds.unnamed { await worlds.shareKeys() }
        return owner
    }

    private func answer(
        _ request: HTTPRequest,
        _ body: Result<Data, RequestProblem>,
        _ emulator: AppleEmulator,
        console: URL?
    ) async -> EmulatorAnswer {
        switch body {
        case .success(let body):
            renderer.draw(
                await emulator.respond(to: request, body: body),
                for: request,
                console: console
            )
        case .failure(let problem): await emulator.refuse(request, problem)
        }
    }

    /// The console of the world that a request names.
    private func console(in choice: WorldChoice) -> URL? {
        guard case .named(let name) = choice.selection else { return console() }
        let world = URLQueryItem(name: WorldChoice.parameter, value: name.text)
        return console()?.appending(queryItems: [world])
    }

    private func refuse(_ request: HTTPRequest, _ problem: String) async -> EmulatorAnswer {
        await worlds.unnamed.refuse(request, .worldRefused(problem))
    }
}

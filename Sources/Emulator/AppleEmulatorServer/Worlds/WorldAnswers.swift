import AppleEmulator
import AppleEmulatorPages
import Foundation
import HTTPTypes

/// Passes each request to Apple's port to the emulator of its world.
struct WorldAnswers: Sendable {
    let worlds: Worlds
    let renderer: EmulatorPageRenderer
    /// The address of the control port; nil before it listens.
    let console: @Sendable () -> URL?

    /// Answers a request to the world of its path.
    func answer(
        _ request: HTTPRequest,
        _ body: Result<Data, RequestProblem>
    ) async -> EmulatorAnswer {
        guard let (world, path) = worlds.find(request.path ?? "/") else {
            return await worlds.unnamed.emulator.refuse(request, .worldUnknown)
        }
        var request = request
        request.path = path
        return await answer(request, body, in: world)
    }

    func answer(
        _ request: HTTPRequest,
        _ body: Result<Data, RequestProblem>,
        in world: World
    ) async -> EmulatorAnswer {
        var answer: EmulatorAnswer
        switch body {
        case .success(let body):
            answer = renderer.draw(
                await world.emulator.respond(to: request, body: body),
                for: request,
                console: console()?.adding(world.path),
                under: world.path
            )
        case .failure(let problem): answer = await world.emulator.refuse(request, problem)
        }
        if let location = answer.response.headerFields[.location], location.hasPrefix("/"),
            !location.hasPrefix("//")
        {
            answer.response.headerFields[.location] = world.path + location
        }
        return answer
    }
}

import AppleEmulator
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import OpenAPIDescription

/// The routes of the control port that export and import the whole state.
struct StateRoutes {
    let emulator: AppleEmulator

    var described: [DescribedOperation] {
        [
            DescribedOperation(.get, Self.exportPath, Self.exporting),
            DescribedOperation(.post, Self.importPath, Self.importing),
        ]
    }

    private static let exportPath: RouterPath = "export"
    private static let importPath: RouterPath = "import"

    private static let exporting = ControlDescription(
        "exportState",
        .state,
        "Export the whole state, including passwords and private keys",
        answers: [.ok("A state document for `POST /import`.", ControlBody.state)]
    )

    private static let importing = ControlDescription(
        "importState",
        .state,
        "Replace the state with an exported one",
        body: ControlBody.state,
        answers: [.ok("The state.", ControlSchemas.state.reference)],
        refusals: [.notFound, .conflict]
    )

    func add(to router: Router<PortContext>) {
        add(Self.exportPath, .get, to: router) { [emulator] _ in
            Response(
                .ok,
                [.contentType: "application/json", .cacheControl: "no-store"],
                ResponseBody(byteBuffer: ByteBuffer(bytes: await emulator.exported()))
            )
        }
        add(Self.importPath, .post, to: router) { [emulator] request in
            try await emulator.importState(try await Self.body(of: request))
            return ControlAnswer.found(await emulator.state()).response
        }
    }

    private func add(
        _ path: RouterPath,
        _ method: HTTPRequest.Method,
        to router: Router<PortContext>,
        _ answer: @escaping @Sendable (Request) async throws -> Response
    ) {
        router.on(path, method: method) { request, _ in
            try await ControlRoute.answer { try await answer(request) }
        }
        ControlRoute.refuseMethods(except: [method], of: path, in: router)
    }

    private static func body(of request: Request) async throws -> Data {
        let maximumByteCount = AppleEmulator.maximumStateByteCount
        let declared = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        let tooLarge = ControlProblem(
            status: .contentTooLarge,
            code: "too_large",
            message: "The state is larger than \(maximumByteCount) bytes."
        )
        guard declared <= maximumByteCount else { throw tooLarge }
        do {
            return Data(try await request.body.collect(upTo: maximumByteCount).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch let error as HTTPParserError {
            throw ControlProblem.unreadable(error)
        }
    }
}

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// An application whose requests have this `Host`; those of the test clients have `localhost`.
struct HostedApplication<Base: ApplicationProtocol>: ApplicationProtocol {
    let base: Base
    var host = "juice.example.com"

    var responder: HostedResponder<Base.Responder> {
        get async throws { HostedResponder(base: try await base.responder, host: host) }
    }

    var server: HTTPServerBuilder { base.server }
    var eventLoopGroup: any EventLoopGroup { base.eventLoopGroup }
    var configuration: ApplicationConfiguration { base.configuration }
    var logger: Logger { base.logger }
    var services: [any Service] { base.services }
    var processesRunBeforeServerStart: [@Sendable () async throws -> Void] {
        base.processesRunBeforeServerStart
    }

    func onServerRunning(_ channel: any Channel) async { await base.onServerRunning(channel) }
}

struct HostedResponder<Base: HTTPResponder>: HTTPResponder {
    let base: Base
    let host: String

    @concurrent
    func respond(to request: Request, context: Base.Context) async throws -> Response {
        var head = request.head
        head.authority = host
        return try await base.respond(to: Request(head: head, body: request.body), context: context)
    }
}

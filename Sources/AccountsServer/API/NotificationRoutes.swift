import Accounts
import HTTPTypes
import Hummingbird

/// What Apple posts by itself; 200 tells Apple that it was acted on, whoever it was about.
struct NotificationRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [Route(.post, "/apple/notifications") { request, _ in try await receive(request) }]
    }

    private func receive(_ request: Request) async throws -> Response {
        let body = try await request.body(
            type: "application/json",
            maximumByteCount: ServerLimits.maximumNotificationByteCount,
            time: server.time
        )
        try await server.accounts.receiveNotification(body)
        return Response(status: .ok)
    }
}

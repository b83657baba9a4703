import HTTPTypes
import Hummingbird
import Logging
import SignInWithApple

/// Takes what Apple posts to a server, and tells Apple whether it was acted on.
///
/// Apple counts 200 as received and sends anything else again.
struct NotificationRoute<Context: RequestContext>: Sendable {
    typealias Act = @Sendable (VerifiedNotification, Context) async throws -> Void

    let apple: AppleSignIn
    let act: Act

    func receive(_ request: Request, _ context: Context) async throws -> Response {
        do {
            let notification = try await verified(request)
            do {
                try await act(notification, context)
            } catch {
                throw RouteRefusal.notificationUnfinished(error)
            }
            return Response(status: .ok).guarded
        } catch {
            guard let refusal = RouteRefusal(any: error) else { throw error }
            context.logger.log(
                level: refusal.status.code >= 500 ? .error : .notice,
                "notification refused",
                metadata: ["code": "\(refusal.code)", "hint": "\(refusal.hint)"]
            )
            return RefusalAnswer(refusal: refusal, beginPath: nil).problemResponse
        }
    }

    private func verified(_ request: Request) async throws -> VerifiedNotification {
        let body = try await request.content(
            type: "application/json",
            maximumByteCount: RouteLimits.maximumNotificationByteCount,
            maximumSeconds: RouteLimits.maximumBodySeconds,
            time: apple.time
        )
        do {
            return try await apple.notification(from: body)
        } catch let error as SignInError {
            throw RouteRefusal(notification: error)
        }
    }
}

import HTTPTypes
import Logging

extension AppleSignIn {
    /// Creates the route that receives Apple's server-to-server notifications.
    ///
    /// Register its URL at Apple for the primary App ID. Each notification is verified before your
    /// function is called: signature, issuer, client and times.
    ///
    /// | response to Apple | when |
    /// |---|---|
    /// | 200 | your function returned |
    /// | 503 | your function threw another error, or Apple's keys were unavailable: Apple may send it again |
    /// | its own status | your function threw a ``RefusedSignIn`` or another ``RefusalError`` |
    /// | 4xx, with a problem document's code | the notification was rejected; nothing was done |
    ///
    /// Apple may send a notification twice, and two notifications of one event:
    /// - Process each `notificationID` once. Store it in the same transaction as your changes, until
    ///   the notification's `expirationTime` at least.
    /// - Compare the event's time with the user's last sign-in, because notifications may arrive late.
    /// - Expect unknown kinds of events: they are passed on like the others.
    ///
    /// - Parameters:
    ///   - path: the route's path.
    ///   - onNotification: processes the notification; if it throws, Apple gets status 503, or that of a
    ///     ``RefusedSignIn``.
    /// - Returns: the route.
    public func notificationRoute<Context>(
        at path: String = "/auth/apple/notifications",
        onNotification: @escaping @Sendable (VerifiedNotification, Context) async throws -> Void
    ) -> SignInRoute<Context> {
        SignInRoute(.post, path, NotificationBody.maximumByteCount) { call in
            do {
                let notification = try await notification(in: call.request)
                do {
                    try await onNotification(notification, call.context)
                } catch let refusal as any RefusalError {
                    throw refusal
                } catch {
                    throw RefusedSignIn.notificationUnfinished(error)
                }
                // Apple counts 200 as received and sends the notification again otherwise.
                return SignInResponse(status: .ok).guarded
            } catch {
                guard let refusal = RefusedSignIn(any: error) else { throw error }
                refusal.log("notification refused", to: call.logger, route: call.route)
                return refusal.problem
            }
        }
    }

    private func notification(in request: SignInRequest) async throws -> VerifiedNotification {
        let body = try await request.content(
            type: "application/json",
            maximumByteCount: NotificationBody.maximumByteCount
        )
        do {
            return try await notification(from: body)
        } catch let error as SignInError {
            throw RefusedSignIn(notification: error)
        }
    }
}

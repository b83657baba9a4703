import HTTPTypes
import Logging

extension AppleSignIn {
    /// The address to which Apple posts its server-to-server notifications.
    ///
    /// Register it at Apple for the primary App ID. Each notification is verified before your
    /// function gets it: signature, issuer, client and times.
    ///
    /// | Apple is answered | when |
    /// |---|---|
    /// | 200 | your function returned |
    /// | 503 | your function threw, or Apple's keys could not be had: Apple may send it again |
    /// | 4xx, with a problem document's code | the notification is refused; nothing was done |
    ///
    /// Apple may send a notification twice, and two of one event: act once on each `notificationID`,
    /// and keep it at least until the notification's `expirationTime`, in the same transaction as
    /// what you change. They may also come late: compare the event's time with the person's last
    /// sign-in. Kinds of events that nobody knows yet are handed on like the others.
    ///
    /// - Parameters:
    ///   - path: where the route is.
    ///   - onNotification: acts on what happened; when it throws, Apple is told that nothing was done.
    /// - Returns: the route.
    public func notificationRoute<Context>(
        at path: String = "/auth/apple/notifications",
        onNotification: @escaping @Sendable (VerifiedNotification, Context) async throws -> Void
    ) -> SignInRoute<Context> {
        let receiver = NotificationReceiver<Context>(apple: self, act: onNotification)
        return SignInRoute(.post, path, RouteLimits.maximumNotificationByteCount) {
            try await receiver.receive($0)
        }
    }
}

/// Takes what Apple posts to a server, and tells Apple whether it was acted on.
///
/// Apple counts 200 as received and sends anything else again.
private struct NotificationReceiver<Context>: Sendable {
    typealias Act = @Sendable (VerifiedNotification, Context) async throws -> Void

    let apple: AppleSignIn
    let act: Act

    func receive(_ call: SignInCall<Context>) async throws -> SignInResponse {
        do {
            let notification = try await verified(call.request)
            do {
                try await act(notification, call.context)
            } catch let refusal as RefusedSignIn {
                throw refusal
            } catch {
                throw RefusedSignIn.notificationUnfinished(error)
            }
            return SignInResponse(status: .ok).guarded
        } catch {
            guard let refusal = RefusedSignIn(any: error) else { throw error }
            call.log("notification refused", refusal)
            return RefusalAnswer(refusal: refusal).problem
        }
    }

    private func verified(_ request: SignInRequest) async throws -> VerifiedNotification {
        let body = try await request.content(
            type: "application/json",
            maximumByteCount: RouteLimits.maximumNotificationByteCount
        )
        do {
            return try await apple.notification(from: body)
        } catch let error as SignInError {
            throw RefusedSignIn(notification: error)
        }
    }
}

import HTTPTypes
import SignInWithApple

extension RouteRefusal {
    /// Seconds after which a server's own failure is worth another attempt.
    private static let ownRetryAfterSeconds = 2

    /// The type alone is told: what an unforeseen error says of itself may hold anything.
    static func signInUnfinished(_ error: any Error) -> RouteRefusal {
        RouteRefusal(
            "sign_in_unfinished",
            .serviceUnavailable,
            "The sign-in could not be finished at the moment.",
            hint: "your function for sign-ins threw an error of type \(type(of: error))",
            isRetryable: true,
            retryAfterSeconds: ownRetryAfterSeconds
        )
    }

    static func notificationUnfinished(_ error: any Error) -> RouteRefusal {
        RouteRefusal(
            "notification_unfinished",
            .serviceUnavailable,
            "The notification could not be acted on at the moment.",
            hint: "your function for notifications threw an error of type \(type(of: error))",
            isRetryable: true,
            retryAfterSeconds: ownRetryAfterSeconds
        )
    }
}

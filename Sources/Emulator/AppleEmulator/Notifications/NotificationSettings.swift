import AppleIdentity
import OpenAPIDescription

/// The settings of notifications where Apple's behaviour is unknown or varies.
public struct NotificationSettings: Hashable, Sendable {
    /// The default retry delays in seconds: 10 s, 1 min, 10 min and 1 h.
    ///
    /// An assumption: Apple documents no schedule, and has also said that it does not retry.
    public static let standardRetryDelays = [10, 60, 600, 3_600]
    /// The maximum number of retries.
    public static let maximumRetryCount = 10
    /// The maximum delay before an attempt, in seconds.
    public static let maximumDelaySeconds = 86_400
    /// The maximum number of duplicates of a notification.
    public static let maximumDuplicateCount = 20

    /// The event type for the deletion of an Apple Account.
    public var accountDeletion: NotificationEvent.Kind
    /// The delay before each retry, in seconds; empty for a single attempt.
    public var retryDelays: [Int]
    /// The number of duplicates sent of each notification.
    public var duplicateCount: Int
    /// The delay before the first attempt, in seconds.
    public var delaySeconds: Int
    /// Whether `/auth/revoke` also sends `consent-revoked`; Apple's behaviour is unknown.
    public var notifiesOfRevocation: Bool

    /// Creates settings; the defaults follow Apple as far as it is known.
    ///
    /// - Parameters:
    ///   - accountDeletion: the event type for the deletion of an Apple Account.
    ///   - retryDelays: the delay before each retry, in seconds.
    ///   - duplicateCount: the number of duplicates sent of each notification.
    ///   - delaySeconds: the delay before the first attempt, in seconds.
    ///   - notifiesOfRevocation: whether `/auth/revoke` also sends `consent-revoked`.
    public init(
        accountDeletion: NotificationEvent.Kind = .accountDeleted,
        retryDelays: [Int] = standardRetryDelays,
        duplicateCount: Int = 0,
        delaySeconds: Int = 0,
        notifiesOfRevocation: Bool = false
    ) {
        (self.accountDeletion, self.retryDelays, self.duplicateCount) = (
            accountDeletion, retryDelays, duplicateCount
        )
        (self.delaySeconds, self.notifiesOfRevocation) = (delaySeconds, notifiesOfRevocation)
    }
}

extension NotificationSettings: SchemaObject {
    static let schema = ObjectSchema(
        NotificationSettings(),
        .usual("account_deletion", \.accountDeletion, .accountDeletion),
        .usual("retry_after_seconds", \.retryDelays, .retryDelays),
        .usual("duplicates", \.duplicateCount, duplicateCounts),
        .usual("delay_seconds", \.delaySeconds, delays),
        .usual("on_revocation", \.notifiesOfRevocation, .boolean)
    )

    static let duplicateCounts = ValueForm.integer(in: 0...maximumDuplicateCount)
    static let delays = ValueForm.integer(in: 0...maximumDelaySeconds)

    mutating func change(_ object: JSONObject) throws(ControlRefusal) {
        try Self.schema.change(&self, by: object)
    }
}

extension ValueForm<NotificationEvent.Kind> {
    fileprivate static let accountDeletion = identifier.refusing(
        .word([Value.accountDeleted, .accountDelete].map(\.rawValue))
    ) {
        $1.isAccountDeletion ? nil : "must be account-deleted or account-delete"
    }
}

extension ValueForm<[Int]> {
    fileprivate static let retryDelays = ValueForm(
        "must be a list of at most \(NotificationSettings.maximumRetryCount) delays in seconds",
        as: .list(
            of: NotificationSettings.delays.schema,
            maximumCount: NotificationSettings.maximumRetryCount
        ),
        { $0.arrayValue?.map { $0.integerValue ?? -1 } },
        { .array($0.map { .integer($0) }) }
    )
    .refusing { _, delays in
        let (count, seconds) =
            (NotificationSettings.maximumRetryCount, NotificationSettings.maximumDelaySeconds)
        if delays.count > count { return "must be a list of at most \(count) delays in seconds" }
        return delays.allSatisfy { (0...seconds).contains($0) }
            ? nil : "must have whole numbers from 0 to \(seconds)"
    }
}

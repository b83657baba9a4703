import AppleIdentity

/// How notifications are sent, where Apple's own ways are not known or differ from time to time.
public struct NotificationSettings: Hashable, Sendable {
    /// When a notification that was not received is sent again: after 10 s, 1 min, 10 min and 1 h.
    ///
    /// Assumed: Apple says that it tries again, not when, and has also said that it doesn't.
    public static let standardRetryDelays = [10, 60, 600, 3_600]
    /// How often a notification may be sent again.
    public static let maximumRetryCount = 10
    /// The longest wait before sending, first or again, in seconds.
    public static let maximumDelaySeconds = 86_400
    /// How often a notification may be sent besides.
    public static let maximumDuplicateCount = 20

    /// Apple's word for the deletion of an Apple Account.
    public var accountDeletion: NotificationEvent.Kind
    /// How long to wait before each further attempt, in seconds; with none there is one attempt.
    public var retryDelays: [Int]
    /// How often each notification is sent besides, though it was received.
    public var duplicateCount: Int
    /// How long to wait before a notification is sent first, in seconds.
    public var delaySeconds: Int
    /// Whether `/auth/revoke` tells of revoked consent too, which is not known of Apple.
    public var notifiesOfRevocation: Bool

    /// Makes settings; what is left out is as Apple is thought to have it.
    ///
    /// - Parameters:
    ///   - accountDeletion: the word for the deletion of an Apple Account.
    ///   - retryDelays: how long to wait before each further attempt, in seconds.
    ///   - duplicateCount: how often each notification is sent besides.
    ///   - delaySeconds: how long to wait before a notification is sent first.
    ///   - notifiesOfRevocation: whether `/auth/revoke` tells of revoked consent.
    public init(
        accountDeletion: NotificationEvent.Kind = .accountDeleted,
        retryDelays: [Int] = standardRetryDelays,
        duplicateCount: Int = 0,
        delaySeconds: Int = 0,
        notifiesOfRevocation: Bool = false
    ) {
        self.accountDeletion = accountDeletion
        self.retryDelays = retryDelays
        self.duplicateCount = duplicateCount
        self.delaySeconds = delaySeconds
        self.notifiesOfRevocation = notifiesOfRevocation
    }
}

extension NotificationSettings: SchemaObject {
    static let schema = Schema(
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
    fileprivate static let accountDeletion = identifier.refusing {
        $1.isAccountDeletion ? nil : "must be account-deleted or account-delete"
    }
}

extension ValueForm<[Int]> {
    fileprivate static let retryDelays = ValueForm(
        "must be a list of at most \(NotificationSettings.maximumRetryCount) waits in seconds",
        { $0.arrayValue?.map { $0.integerValue ?? -1 } },
        { .array($0.map { .integer($0) }) }
    )
    .refusing { _, delays in
        let (count, seconds) =
            (NotificationSettings.maximumRetryCount, NotificationSettings.maximumDelaySeconds)
        if delays.count > count { return "must be a list of at most \(count) waits in seconds" }
        return delays.allSatisfy { (0...seconds).contains($0) }
            ? nil : "must have whole numbers from 0 to \(seconds)"
    }
}

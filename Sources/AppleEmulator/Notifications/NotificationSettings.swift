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

extension NotificationSettings {
    /// Reads the fields that are there; the others stay.
    mutating func change(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: [
                "account_deletion", "retry_after_seconds", "duplicates", "delay_seconds",
                "on_revocation",
            ]
        )
        var changed = self
        if let word = try fields.optionalText("account_deletion") {
            let kind = NotificationEvent.Kind(rawValue: word)
            guard kind.isAccountDeletion else {
                throw .wrong("account_deletion", "must be account-deleted or account-delete")
            }
            changed.accountDeletion = kind
        }
        if let delays = try Self.delays(fields) { changed.retryDelays = delays }
        changed.duplicateCount = try fields.duplicateCount() ?? duplicateCount
        changed.delaySeconds = try fields.delaySeconds() ?? delaySeconds
        changed.notifiesOfRevocation = try fields.boolean(
            "on_revocation",
            default: notifiesOfRevocation
        )
        self = changed
    }

    private static func delays(_ fields: FieldReader) throws(ControlRefusal) -> [Int]? {
        let name = "retry_after_seconds"
        guard let value = fields.value(name) else { return nil }
        guard let values = value.arrayValue, values.count <= maximumRetryCount else {
            throw .wrong(name, "must be a list of at most \(maximumRetryCount) waits in seconds")
        }
        let delays = values.compactMap(\.integerValue).filter {
            (0...maximumDelaySeconds).contains($0)
        }
        guard delays.count == values.count else {
            throw .wrong(name, "must have whole numbers from 0 to \(maximumDelaySeconds)")
        }
        return delays
    }

    var object: JSONObject {
        [
            "account_deletion": .string(accountDeletion.rawValue),
            "retry_after_seconds": .array(retryDelays.map { .integer($0) }),
            "duplicates": .integer(duplicateCount),
            "delay_seconds": .integer(delaySeconds),
            "on_revocation": .boolean(notifiesOfRevocation),
        ]
    }
}

extension FieldReader {
    func duplicateCount() throws(ControlRefusal) -> Int? {
        try optionalInteger("duplicates", in: 0...NotificationSettings.maximumDuplicateCount)
    }

    func delaySeconds() throws(ControlRefusal) -> Int? {
        try optionalInteger("delay_seconds", in: 0...NotificationSettings.maximumDelaySeconds)
    }
}

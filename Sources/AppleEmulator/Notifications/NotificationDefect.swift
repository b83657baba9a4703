/// One way in which a notification can be wrong, so that a receiver shows what it does about it.
enum NotificationDefect: String, CaseIterable {
    /// Signed by the key that the header names, but for other words.
    case badSignature = "bad_signature"
    /// The header names a key that is not published.
    case unknownKey = "unknown_key"
    /// The header says `none`, and there is no signature.
    case unsigned
    case wrongIssuer = "wrong_issuer"
    case wrongAudience = "wrong_audience"
    /// It ended an hour ago.
    case expired
    /// It is issued an hour from now.
    case issuedInTheFuture = "issued_in_the_future"
    /// `events` is an object, as Apple's page shows it, instead of a text with JSON.
    case eventsObject = "events_object"
    /// `events` is a text, but no JSON.
    case eventsNotJSON = "events_not_json"
    case eventsMissing = "events_missing"
    /// `event_time` counts seconds, as the examples on Apple's page do.
    case eventTimeInSeconds = "event_time_in_seconds"
    /// An event that Apple has never told of.
    case unknownType = "unknown_type"
    /// The body is an object without `payload`.
    case payloadMissing = "payload_missing"
    /// The body is no JSON.
    case notJSON = "not_json"
}

extension BehaviourTopic {
    /// What Apple tells an app's server by itself.
    static let notifications = BehaviourTopic(
        title: "Server-to-server notifications",
        behaviours: [
            .missing(
                "A group has one address for notifications, on its primary app",
                .documented,
                from: .notifications,
                .notificationHelp,
                because: "not built yet"
            ),
            .missing(
                "One address may serve many apps and teams",
                .documented,
                from: .notifications,
                because: "not built yet"
            ),
            .missing(
                "The address is https with TLS 1.2 or later and a certificate everybody trusts",
                .documented,
                from: .notifications,
                .forum830681,
                because: "not built yet"
            ),
            .missing(
                "A notification is a POST of JSON with a signed `payload`, and nothing else shows who sent it",
                .observed,
                from: .forum655485,
                because: "not built yet"
            ),
            .missing(
                "The payload has the header `kid` and `alg`, and one of the published keys signs it",
                .documented,
                from: .notifications,
                because: "not built yet"
            ),
            .missing(
                "The claims are `iss`, `aud`, `exp`, `iat`, `jti` and `events`",
                .observed,
                from: .forum655485,
                .appleAuth29,
                because: "not built yet"
            ),
            .missing(
                "`aud` is the client id of the app",
                .observed,
                from: .forum809509,
                because: "not built yet"
            ),
            .missing(
                "A notification is good for 86400 seconds",
                .observed,
                from: .forum655485,
                because: "not built yet"
            ),
            .missing(
                "`events` is a text with one JSON object",
                .observed,
                from: .appleAuth29,
                .forum655485,
                because: "not built yet"
            ),
            .missing(
                "`event_time` is in milliseconds, some seconds before `iat`",
                .observed,
                from: .forum655485,
                .jwtDecoder,
                because: "not built yet"
            ),
            .missing(
                "An event has `type`, `sub` and `event_time`",
                .observed,
                from: .forum655485,
                .jwtDecoder,
                because: "not built yet"
            ),
            .missing(
                "The two events about mail have `email` and `is_private_email`, a text, as well",
                .observed,
                from: .forum655485,
                .jwtDecoder,
                because: "not built yet"
            ),
            .missing(
                "The status 200 means received",
                .observed,
                from: .forum811848,
                because: "not built yet"
            ),
            .missing(
                "Without it the notification comes again",
                .observed,
                from: .forum811848,
                .forum830681,
                because: "not built yet"
            ),
            .missing(
                "Each notification is sent once",
                .observed,
                from: .forum809509,
                because: "not built yet"
            ),
            .missing(
                "A notification can come twice",
                .observed,
                from: .forum809509,
                because: "not built yet"
            ),
            .missing(
                "`email-disabled` and `email-enabled` tell that forwarding was switched",
                .documented,
                from: .notifications,
                because: "not built yet"
            ),
            .missing(
                "`consent-revoked` tells that a person stopped using the app, once for the group",
                .documented,
                from: .notifications,
                because: "not built yet"
            ),
            .missing(
                "`account-deleted` tells that an Apple Account is gone",
                .documented,
                from: .notificationsMirror,
                because: "not built yet"
            ),
            .missing(
                "`account-delete` is the older name of that event",
                .documented,
                from: .notifications,
                because: "not built yet"
            ),
        ]
    )
}

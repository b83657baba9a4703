extension BehaviourTopic {
    /// What Apple tells an app's server by itself.
    static let notifications = BehaviourTopic(
        title: "Server-to-server notifications",
        behaviours: [
            .emulated(
                "A group has one address for notifications, on its primary app",
                .documented,
                from: .notifications,
                .notificationHelp,
                control: "`notification_url` of an app",
                tests: "NotifiedPeopleTests.consentRevoked"
            ),
            .emulated(
                "One address may serve many apps and teams",
                .documented,
                from: .notifications,
                tests: "NotifiedPeopleTests.sharedAddress"
            ),
            .emulated(
                "The address is https; on this machine http is taken too",
                .documented,
                from: .notifications,
                control: "`--strict`",
                tests: "NotificationOrderTests.wrongAddress",
                "NotificationOrderTests.loopback"
            ),
            .missing(
                "The address has TLS 1.2 or later and a certificate everybody trusts",
                .documented,
                from: .notifications,
                .forum830681,
                because: "whom this machine trusts is trusted, a certificate made by yourself too"
            ),
            .emulated(
                "A notification is a POST of JSON with a signed `payload`, and nothing else shows who sent it",
                .observed,
                from: .forum655485,
                control: "defects of `POST /notifications`",
                tests: "NotificationWireTests.form",
                "NotificationSenderTests.whatAPersonDoesReachesTheServerAtOnce"
            ),
            .emulated(
                "The payload has the header `kid` and `alg`, and one of the published keys signs it",
                .documented,
                from: .notifications,
                tests: "NotificationWireTests.form",
                "NotificationWireTests.signature"
            ),
            .emulated(
                "The claims are `iss`, `aud`, `exp`, `iat`, `jti` and `events`",
                .observed,
                from: .forum655485,
                .appleAuth29,
                tests: "NotificationWireTests.form"
            ),
            .emulated(
                "`aud` is the client id of the app",
                .observed,
                from: .forum809509,
                tests: "NotificationWireTests.form"
            ),
            .emulated(
                "A notification is good for 86400 seconds",
                .observed,
                from: .forum655485,
                tests: "NotificationWireTests.form"
            ),
            .emulated(
                "`events` is a text with one JSON object",
                .observed,
                from: .appleAuth29,
                .forum655485,
                tests: "NotificationWireTests.form"
            ),
            .emulated(
                "`events` is an object, as on Apple's page",
                .documented,
                from: .notifications,
                control: "`malformed` of `POST /notifications`: `events_object`",
                tests: "ReceivedNotificationTests.unusual"
            ),
            .emulated(
                "`event_time` is in milliseconds, some seconds before `iat`",
                .observed,
                from: .forum655485,
                .jwtDecoder,
                tests: "NotificationWireTests.form",
                "NotificationWireTests.eventTime"
            ),
            .emulated(
                "`event_time` is in seconds, as in the examples of Apple's page",
                .documented,
                from: .notifications,
                control: "`malformed` of `POST /notifications`: `event_time_in_seconds`",
                tests: "ReceivedNotificationTests.unusual"
            ),
            .emulated(
                "An event has `type`, `sub` and `event_time`",
                .observed,
                from: .forum655485,
                .jwtDecoder,
                tests: "NotificationWireTests.form"
            ),
            .emulated(
                "The two events about mail have `email` and `is_private_email`, a text, as well",
                .observed,
                from: .forum655485,
                .jwtDecoder,
                tests: "NotificationWireTests.email"
            ),
            .emulated(
                "A notification is sent at once",
                .observed,
                from: .forum809509,
                control: "`delay_seconds` of `POST /notifications/settings`",
                tests: "NotificationSenderTests.whatAPersonDoesReachesTheServerAtOnce"
            ),
            .emulated(
                "The status 200 means received",
                .observed,
                from: .forum811848,
                tests: "DeliveryTests.delivered",
                "DeliveryTests.otherStatus"
            ),
            .emulated(
                "Without it the notification comes again, here after 10 s, 1 min, 10 min and 1 h",
                .observed,
                from: .forum811848,
                .forum830681,
                control: "`retry_after_seconds` of `POST /notifications/settings`",
                tests: "DeliveryTests.retries"
            ),
            .emulated(
                "Each notification is sent once, whatever the answer",
                .observed,
                from: .forum809509,
                control: "`retry_after_seconds: []` of `POST /notifications/settings`",
                tests: "DeliveryTests.noRetries"
            ),
            .emulated(
                "A notification can come twice",
                .observed,
                from: .forum809509,
                control: "`duplicates` of `POST /notifications/settings`",
                tests: "DeliveryTests.duplicates"
            ),
            .emulated(
                "`email-disabled` and `email-enabled` tell that forwarding was switched",
                .documented,
                from: .notifications,
                control: "`POST /people/{email}/forwarding`",
                tests: "NotifiedPeopleTests.forwarding"
            ),
            .emulated(
                "`consent-revoked` tells that a person stopped using the app, once for the group",
                .documented,
                from: .notifications,
                control: "`POST /people/{email}/stop-using`",
                tests: "NotifiedPeopleTests.consentRevoked"
            ),
            .emulated(
                "A developer's revocation tells `consent-revoked` only where that is switched on",
                .assumed,
                control: "`on_revocation` of `POST /notifications/settings`",
                tests: "NotifiedPeopleTests.revocation"
            ),
            .emulated(
                "`account-deleted` tells that an Apple Account is gone",
                .documented,
                from: .notificationsMirror,
                control: "`DELETE /people/{email}`",
                tests: "NotifiedPeopleTests.accountDeleted"
            ),
            .emulated(
                "`account-delete` is the older name of that event",
                .documented,
                from: .notifications,
                control: "`account_deletion` of `POST /notifications/settings`",
                tests: "NotifiedPeopleTests.accountDeleted"
            ),
        ]
    )
}

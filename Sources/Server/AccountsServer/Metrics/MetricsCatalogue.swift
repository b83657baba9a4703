import PrometheusMetrics

/// Every metric of the accounts server.
package enum MetricsCatalogue {
    /// Bucket limits in seconds, for operations that take microseconds.
    private static let shortBuckets: [Double] = [
        0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5, 10,
    ]

    /// The histograms of such operations.
    private static let shortTimes: Set = [
        "siwa_token_verification_seconds",
        "siwa_sqlite_write_wait_seconds",
        "siwa_postgresql_wait_seconds",
    ]

    /// The metrics with their help texts.
    package static let descriptions = helpTexts.map { name, help in
        let buckets = shortTimes.contains(name) ? shortBuckets : MetricDescription.usualBuckets
        return MetricDescription(name, help: help, buckets: buckets)
    }

    private static let helpTexts: KeyValuePairs = [
        "siwa_http_requests_total": "HTTP requests, by method, route and status class.",
        "siwa_http_request_duration_seconds":
            "Time until a response was ready, without sending its body.",
        "siwa_http_limited_total":
            "Requests refused with 429, after too many refused requests from their network.",
        "siwa_cross_origin_refused_total":
            "API requests of pages whose origin is not in SIWA_ALLOWED_ORIGINS.",
        "siwa_sign_ins_total": "Sign-ins, by method and by outcome: ok or the error code.",
        "siwa_android_callbacks_total": "Responses of Apple led back to Android apps, by outcome.",
        "siwa_token_verification_seconds": "Time to verify an identity token.",
        "siwa_session_lookups_total": "Session lookups, by source: memory or store.",
        "siwa_unknown_transfers_total":
            "New accounts of users with a transfer identifier that no account has.",
        "siwa_access_tokens_total": "Access tokens made.",
        "siwa_introspections_total": "Introspections, by outcome: active, inactive or refused.",
        "siwa_apple_key_hits_total": "Tokens and notifications whose Apple key was cached.",
        "siwa_apple_key_fetches_total": "Fetches of Apple's keys, by outcome.",
        "siwa_apple_keys_fetched_timestamp_seconds":
            "Time of the last fetch of Apple's keys; 0 before the first.",
        "siwa_apple_request_duration_seconds":
            "Apple's response time, by endpoint and status class.",
        "siwa_undecryptable_secrets":
            "Stored secrets that no key of SIWA_SEALING_KEYS decrypts, counted once an hour.",
        "siwa_outbox_waiting": "Queued revocations and emails.",
        "siwa_outbox_refused": "Permanently refused revocations and emails; an operator must act.",
        "siwa_outbox_oldest_age_seconds": "Age of the oldest outbox entry; 0 if there is none.",
        "siwa_outbox_attempts_total":
            "Attempts of this process to deliver outbox entries, by outcome.",
        "siwa_refresh_validations_total": "Refresh tokens validated with Apple, by outcome.",
        "siwa_refresh_validation_delay_seconds":
            "Time since the oldest due validation of a refresh token was due; 0 if none is.",
        "siwa_store_writable": "1 if the store was writable at the last check.",
        "siwa_clock_difference_seconds":
            "Seconds by which the clock is ahead of the database's or Apple's.",
        "siwa_store_failures_total": "Failed store calls, by kind.",
        "siwa_sqlite_writes_waiting": "Writes that wait for the write connection.",
        "siwa_sqlite_write_wait_seconds": "Time that writes waited before their transaction began.",
        "siwa_postgresql_connections": "Connections of this process, by state.",
        "siwa_postgresql_waiting": "Calls that wait for a connection.",
        "siwa_postgresql_batch_waiting": "Session checks that wait for the next statement.",
        "siwa_postgresql_wait_seconds": "Time that calls waited for a connection.",
        "process_resident_memory_bytes": "Resident memory size.",
        "process_open_fds": "Number of open file descriptors.",
        "process_start_time_seconds": "Start time of the process.",
        "siwa_build_info": "Always 1; the labels describe the build.",
    ]
}

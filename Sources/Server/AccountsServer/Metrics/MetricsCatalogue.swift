import PrometheusMetrics

/// Every metric of the accounts server.
package enum MetricsCatalogue {
    /// Bucket limits in seconds, for operations that take microseconds.
    private static let shortBuckets: [Double] = [
        0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5, 10,
    ]

    /// The help text of each metric.
    package static let descriptions: [MetricDescription] =
        requests + signIns + apple + outbox + stores + process

    private static let requests = [
        MetricDescription(
            "siwa_http_requests_total",
            help: "HTTP requests, by method, route and status class."
        ),
        MetricDescription(
            "siwa_http_request_duration_seconds",
            help: "Time until a response was ready, without sending its body."
        ),
        MetricDescription(
            "siwa_http_limited_total",
            help: "Requests refused with 429, after too many refused requests from their network."
        ),
        MetricDescription(
            "siwa_cross_origin_refused_total",
            help: "API requests of pages whose origin is not in SIWA_ALLOWED_ORIGINS."
        ),
    ]

    private static let signIns = [
        MetricDescription(
            "siwa_sign_ins_total",
            help: "Sign-ins, by method and by outcome: ok or the error code."
        ),
        MetricDescription(
            "siwa_android_callbacks_total",
            help: "Responses of Apple led back to Android apps, by outcome."
        ),
        MetricDescription(
            "siwa_token_verification_seconds",
            help: "Time to verify an identity token.",
            buckets: shortBuckets
        ),
        MetricDescription(
            "siwa_session_lookups_total",
            help: "Session lookups, by source: memory or store."
        ),
        MetricDescription(
            "siwa_unknown_transfers_total",
            help: "New accounts of users with a transfer identifier that no account has."
        ),
        MetricDescription("siwa_access_tokens_total", help: "Access tokens made."),
        MetricDescription(
            "siwa_introspections_total",
            help: "Introspections, by outcome: active, inactive or refused."
        ),
    ]

    private static let apple = [
        MetricDescription(
            "siwa_apple_key_hits_total",
            help: "Tokens and notifications whose Apple key was cached."
        ),
        MetricDescription(
            "siwa_apple_key_fetches_total",
            help: "Fetches of Apple's keys, by outcome."
        ),
        MetricDescription(
            "siwa_apple_keys_fetched_timestamp_seconds",
            help: "Time of the last fetch of Apple's keys; 0 before the first."
        ),
        MetricDescription(
            "siwa_apple_request_duration_seconds",
            help: "Apple's response time, by endpoint and status class."
        ),
    ]

    private static let outbox = [
        MetricDescription(
            "siwa_undecryptable_secrets",
            help: "Stored secrets that no key of SIWA_SEALING_KEYS decrypts, counted once an hour."
        ),
        MetricDescription(
            "siwa_outbox_waiting",
            help: "Queued revocations and emails."
        ),
        MetricDescription(
            "siwa_outbox_refused",
            help: "Permanently refused revocations and emails; an operator must act."
        ),
        MetricDescription(
            "siwa_outbox_oldest_age_seconds",
            help: "Age of the oldest outbox entry; 0 if there is none."
        ),
        MetricDescription(
            "siwa_outbox_attempts_total",
            help: "Attempts of this process to deliver outbox entries, by outcome."
        ),
        MetricDescription(
            "siwa_refresh_validations_total",
            help: "Refresh tokens validated with Apple, by outcome."
        ),
        MetricDescription(
            "siwa_refresh_validation_delay_seconds",
            help: "Time since the oldest due validation of a refresh token was due; 0 if none is."
        ),
    ]

    private static let stores = [
        MetricDescription(
            "siwa_store_writable",
            help: "1 if the store was writable at the last check."
        ),
        MetricDescription(
            "siwa_clock_difference_seconds",
            help: "Seconds by which the clock is ahead of the database's or Apple's."
        ),
        MetricDescription(
            "siwa_store_failures_total",
            help: "Failed store calls, by kind."
        ),
        MetricDescription(
            "siwa_sqlite_writes_waiting",
            help: "Writes that wait for the write connection."
        ),
        MetricDescription(
            "siwa_sqlite_write_wait_seconds",
            help: "Time that writes waited before their transaction began.",
            buckets: shortBuckets
        ),
        MetricDescription(
            "siwa_postgresql_connections",
            help: "Connections of this process, by state."
        ),
        MetricDescription("siwa_postgresql_waiting", help: "Calls that wait for a connection."),
        MetricDescription(
            "siwa_postgresql_batch_waiting",
            help: "Session checks that wait for the next statement."
        ),
        MetricDescription(
            "siwa_postgresql_wait_seconds",
            help: "Time that calls waited for a connection.",
            buckets: shortBuckets
        ),
    ]

    private static let process = [
        MetricDescription("process_resident_memory_bytes", help: "Resident memory size."),
        MetricDescription("process_open_fds", help: "Number of open file descriptors."),
        MetricDescription("process_start_time_seconds", help: "Start time of the process."),
        MetricDescription("siwa_build_info", help: "Always 1; the labels describe the build."),
    ]
}

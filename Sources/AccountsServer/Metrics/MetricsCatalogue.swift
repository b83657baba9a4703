import PrometheusMetrics

/// Every metric of the accounts server.
package enum MetricsCatalogue {
    /// For what takes microseconds, in seconds.
    private static let shortBuckets: [Double] = [
        0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5, 10,
    ]

    /// What each metric tells.
    package static let descriptions: [MetricDescription] =
        requests + signIns + apple + outbox + stores + process

    private static let requests = [
        MetricDescription(
            "siwa_http_requests_total",
            help: "Requests that were answered, by method, route and class of status."
        ),
        MetricDescription(
            "siwa_http_request_duration_seconds",
            help: "Time until a request was answered, without sending the body."
        ),
        MetricDescription(
            "siwa_http_limited_total",
            help: "Requests answered with 429 because their network was refused too often."
        ),
    ]

    private static let signIns = [
        MetricDescription(
            "siwa_sign_ins_total",
            help: "Sign-ins by way, and ok or the code of the refusal."
        ),
        MetricDescription(
            "siwa_token_verification_seconds",
            help: "Time that verifying an identity token took.",
            buckets: shortBuckets
        ),
        MetricDescription(
            "siwa_session_lookups_total",
            help: "Sessions found in memory, or asked of the store."
        ),
    ]

    private static let apple = [
        MetricDescription(
            "siwa_apple_key_hits_total",
            help: "Tokens and notifications whose key of Apple's was known."
        ),
        MetricDescription(
            "siwa_apple_key_fetches_total",
            help: "Requests for Apple's keys, by outcome."
        ),
        MetricDescription(
            "siwa_apple_keys_fetched_timestamp_seconds",
            help: "When Apple's keys were fetched last; 0 before."
        ),
        MetricDescription(
            "siwa_apple_request_duration_seconds",
            help: "Time that Apple took to answer, by endpoint and class of status."
        ),
    ]

    private static let outbox = [
        MetricDescription(
            "siwa_outbox_waiting",
            help: "Revocations and mails that wait for an attempt."
        ),
        MetricDescription(
            "siwa_outbox_refused",
            help: "Revocations and mails that were refused for good and wait for a person."
        ),
        MetricDescription(
            "siwa_outbox_oldest_age_seconds",
            help: "Age of the oldest entry of the outbox; 0 when there is none."
        ),
        MetricDescription(
            "siwa_outbox_attempts_total",
            help: "Attempts of this process to do what the outbox holds, by outcome."
        ),
        MetricDescription(
            "siwa_refresh_validations_total",
            help: "Refresh tokens that Apple was asked about, by outcome."
        ),
    ]

    private static let stores = [
        MetricDescription(
            "siwa_store_writable",
            help: "1 when the store could be written to when that was last tried."
        ),
        MetricDescription(
            "siwa_store_failures_total",
            help: "Questions that the store could not answer."
        ),
        MetricDescription(
            "siwa_sqlite_writes_waiting",
            help: "Writes that wait for the one connection that writes."
        ),
        MetricDescription(
            "siwa_sqlite_write_wait_seconds",
            help: "Time that a write waited before its transaction began.",
            buckets: shortBuckets
        ),
        MetricDescription(
            "siwa_postgresql_connections",
            help: "Connections of this process, by what they do."
        ),
        MetricDescription("siwa_postgresql_waiting", help: "Calls that wait for a connection."),
        MetricDescription(
            "siwa_postgresql_batch_waiting",
            help: "Session checks that wait for the next statement."
        ),
        MetricDescription(
            "siwa_postgresql_wait_seconds",
            help: "Time that a call waited for a connection.",
            buckets: shortBuckets
        ),
    ]

    private static let process = [
        MetricDescription("process_resident_memory_bytes", help: "Memory that the process holds."),
        MetricDescription("process_open_fds", help: "File descriptors that are open."),
        MetricDescription("process_start_time_seconds", help: "When the server was started."),
        MetricDescription("siwa_build_info", help: "1, with how the program was built."),
    ]
}

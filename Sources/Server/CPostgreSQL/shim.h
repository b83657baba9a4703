// libpq, and the values of its macros that Swift does not import.
#ifndef SIWA_CPOSTGRESQL_H
#define SIWA_CPOSTGRESQL_H

#include <errno.h>
#include <libpq-fe.h>
#include <sys/socket.h>

static inline const char *siwa_pq_sql_state(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

// In English, whatever language the server speaks.
static inline const char *siwa_pq_severity(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
}

static inline const char *siwa_pq_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

static inline const char *siwa_pq_constraint(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
}

// Whether there is something to read, the end included.
static inline int siwa_pq_has_input(const PGconn *connection) {
    char byte;
    int socket = PQsocket(connection);
    if (socket < 0) return 0;
    if (recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0) return 1;
    return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
}

static void siwa_pq_ignore_notice(void *context, const char *message) {
    (void)context;
    (void)message;
}

// libpq would print the server's notices.
static inline void siwa_pq_ignore_notices(PGconn *connection) {
    (void)PQsetNoticeProcessor(connection, siwa_pq_ignore_notice, NULL);
}

#endif

// libcurl's functions that take any type, once for each type: Swift can't call them otherwise.
#ifndef SIWA_CCURL_H
#define SIWA_CCURL_H

#include <curl/curl.h>
#include <sys/socket.h>

static inline CURLcode siwa_curl_start(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURLcode siwa_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode siwa_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode siwa_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode siwa_curl_set_list(CURL *handle, CURLoption option,
                                          struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode siwa_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*siwa_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode siwa_curl_set_callback(CURL *handle, CURLoption option,
                                              siwa_curl_bytes callback) {
    return curl_easy_setopt(handle, option, callback);
}

// libcurl says goodbye when it cleans up, and waits two minutes for the answer, whatever its other limits are.
// Without this it would: the goodbye is still sent when all went well, and nothing is when it did not.
static inline void siwa_curl_expect_nothing(CURL *handle, int went_well) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    if (curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK
        && socket != CURL_SOCKET_BAD) {
        (void)shutdown(socket, went_well ? SHUT_RD : SHUT_RDWR);
    }
}

// No other protocol, whatever an address says.
static inline CURLcode siwa_curl_allow_mail_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_SMTP | CURLPROTO_SMTPS));
#endif
}

#endif

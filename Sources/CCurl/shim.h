// libcurl's functions that take any type, once for each type: Swift can't call them otherwise.
#ifndef SIWA_CCURL_H
#define SIWA_CCURL_H

#include <curl/curl.h>

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

// No other protocol, whatever an address says.
static inline CURLcode siwa_curl_allow_mail_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_SMTP | CURLPROTO_SMTPS));
#endif
}

#endif

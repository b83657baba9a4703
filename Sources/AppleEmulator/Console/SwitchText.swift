/// What each switch changes, in a few words.
enum SwitchText {
    static let about: [String: String] = [
        "issuer": "iss of tokens and notifications, and issuer of discovery",
        "discovery": "moved: as in June 2025, discovery speaks of account.apple.com",
        "signing_key_count": "how many keys sign",
        "key_order": "changing: each fetch of the keys has its own order",
        "document_cache_seconds": "max-age of the keys and of discovery, in seconds",
        "identity_token_seconds": "how long an identity token is good for; 600 until 2020",
        "clock_skew_seconds": "how far the times in tokens are ahead of Apple’s clock",
        "boolean_claims": "text: truth values of tokens in quotes, as until 2024",
        "email_claim": "the address in tokens",
        "managed_email_claim": "the same for managed accounts alone",
        "private_email_claim": "always: is_private_email is told for shared addresses too",
        "nonce_supported": "false: tokens say so, and have no nonce",
        "token_type": "how the token endpoint spells it",
        "throttled_refresh": "how refreshing a person too often is answered",
        "refreshes_per_day": "how often is not too often, for each person and client",
        "refresh_tokens": "one: a new refresh token ends the one before",
        "code_seconds": "how long a code is good for",
        "code_reuse": "what becomes of a code that is sent again",
        "proof_key": "required: an authorization needs a code_challenge",
        "error_codes": "whose word counts where Apple’s pages and answers disagree",
        "error_descriptions": "false: a bare invalid_grant",
        "unknown_parameters": "what becomes of parameters that Apple does not know",
        "secret_skew_seconds": "how far ahead the iat of a client secret may be",
    ]
}

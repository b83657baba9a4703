import AppleIdentity

/// The selections that join tables.
enum Selections {
    private static let accountColumns =
        "\(Tables.accounts.selection.columns), \(Tables.identities.selection.columns)"

    /// The join of the identity of an account.
    static let identityJoin =
        "LEFT JOIN apple_identities ON apple_identities.account_id = accounts.id"

    /// An account with its Apple identity; nil when an outer join found none.
    static let accountIfPresent = Selection<Account?>(
        accountColumns,
        from: "accounts \(identityJoin)"
    ) { row in
        var account = try Tables.accounts.selection.readIfPresent(&row)
        account?.apple = try Tables.identities.selection.readIfPresent(&row)?.value
        return account
    }

    /// An account with its Apple identity.
    static let account = Selection<Account>(
        accountColumns,
        from: accountIfPresent.tables
    ) { row in
        var account = try Tables.accounts.selection.read(&row)
        account.apple = try Tables.identities.selection.readIfPresent(&row)?.value
        return account
    }

    /// A session and its account, by the hash of the session's token.
    static let signedIn = Selection<(tokenHash: SecretHash, signedIn: SignedInSession)>(
        "\(Tables.sessions.selection.columns), \(accountColumns)",
        from: "sessions JOIN accounts ON accounts.id = sessions.account_id \(identityJoin)"
    ) { row in
        let stored = try Tables.sessions.selection.read(&row)
        let account = try account.read(&row)
        return (stored.tokenHash, SignedInSession(session: stored.session, account: account))
    }

    static let session = Selection<Session>(
        Tables.sessions.selection.columns,
        from: "sessions"
    ) { try Tables.sessions.selection.read(&$0).session }

    static let refreshToken = Selection<RefreshToken>(
        Tables.refreshTokens.selection.columns,
        from: "apple_refresh_tokens"
    ) { try Tables.refreshTokens.selection.read(&$0).value }

    /// An identity and its transfer.
    static let transferState = Selection<AppleTransferState>(
        "\(Tables.identities.selection.columns), \(Tables.transfers.selection.columns)",
        from: """
            apple_identities LEFT JOIN apple_transfers
                ON apple_transfers.account_id = apple_identities.account_id
            """
    ) { row in
        let link = try Tables.identities.selection.read(&row)
        return AppleTransferState(
            account: link.account,
            person: link.value.person,
            clientID: link.value.clientID,
            transfer: try Tables.transfers.selection.readIfPresent(&row)
        )
    }
}

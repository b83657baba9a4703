import AppleIdentity

extension AppleSignIn {
    /// Prepares to move the people of an app that goes to another team, or came from one.
    ///
    /// - Parameter clientID: the app or Services ID, one of the configured clients.
    /// - Returns: both directions, one by one and in bulk.
    public func migration(of clientID: ClientID) -> UserMigration {
        UserMigration(clientID: clientID, endpoint: migrations) {
            () throws(SignInError) -> ClientCredentials in
            try credentials(of: clientID)
        }
    }
}

import AppleIdentity

extension SimulatedDevice {
    /// Goes on with the Apple Account that was signed in when the device was last switched off.
    ///
    /// - Parameter account: the account's address; its password was checked when it signed in.
    package func resume(account: String) {
        state.withLock { $0.account = account }
    }
}

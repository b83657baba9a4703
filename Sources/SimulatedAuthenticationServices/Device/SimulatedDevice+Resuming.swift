import AppleIdentity

extension SimulatedDevice {
    /// Goes on with the Apple Account that was signed in when the device was last switched off.
    package func resume(account: String) {
        state.withLock { $0.account = account }
    }
}

import AppleIdentity

extension ResponseMode {
    /// Whether it may carry what a person shares the first time.
    var carriesUser: Bool { self == .formPost || self == .webMessage }
}

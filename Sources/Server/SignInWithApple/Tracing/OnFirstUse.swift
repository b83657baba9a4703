import AppleIdentity

/// A value that is made when it is first used.
///
/// A program may set up its metrics backend after it has created its ``AppleSignIn``.
final class OnFirstUse<Value: Sendable>: Sendable {
    private let made = LockedValue<Value?>(nil)
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    var value: Value {
        made.withLock { made in
            if let value = made { return value }
            let value = make()
            made = value
            return value
        }
    }
}

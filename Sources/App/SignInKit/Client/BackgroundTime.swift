import Foundation

/// Runs a function, for which the system gives an app time after it has left the screen.
///
/// Source: [performExpiringActivity](https://developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:))
func withBackgroundTime<Value>(_ body: () async -> Value) async -> Value {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        let end = DispatchSemaphore(value: 0)
        // The activity lasts until its function returns. When the time is over, the system calls it again.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "sign-in") { isExpired in
            if isExpired { end.signal() } else { end.wait() }
        }
        defer { end.signal() }
    #endif
    return await body()
}

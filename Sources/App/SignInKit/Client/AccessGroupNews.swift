import AppleIdentity
import Foundation

#if canImport(notify)
    import notify
#endif

/// Notifies the running apps of an access group that one of them signed in or out.
///
/// On Apple's systems it is a Darwin notification, which carries no data; on Linux it stays in the process.
struct AccessGroupNews: Sendable {
    private let name: String

    /// The name is a hash, because every app of the device can hear it.
    init(accessGroup: String) {
        name = "SignInKit." + Nonces.hash(of: accessGroup)
    }

    func post() {
        #if canImport(notify)
            notify_post(name)
        #else
            NotificationCenter.default.post(name: Notification.Name(name), object: nil)
        #endif
    }

    /// A stream with one value for each sign-in and sign-out, also of this process.
    var posts: AsyncStream<Void> {
        #if canImport(notify)
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                var token: Int32 = 0
                notify_register_dispatch(name, &token, .global()) { _ in continuation.yield() }
                continuation.onTermination = { [token] _ in notify_cancel(token) }
            }
        #else
            Notification.Name(name).posts
        #endif
    }
}

extension Notification.Name {
    private typealias Listeners = [UUID: AsyncStream<Void>.Continuation]
    private static let listeners = LockedValue<[Notification.Name: Listeners]>([:])

    /// A stream with one value for each notification of this name in the process.
    ///
    /// The process observes each name once, for as long as it lives.
    var posts: AsyncStream<Void> {
        let id = UUID()
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        continuation.onTermination = { _ in Self.listeners.withLock { $0[self]?[id] = nil } }
        let isFirst = Self.listeners.withLock { listeners in
            defer { listeners[self, default: [:]][id] = continuation }
            return listeners[self] == nil
        }
        guard isFirst else { return stream }
        _ = NotificationCenter.default.addObserver(forName: self, object: nil, queue: nil) { _ in
            let listeners = Self.listeners.withLock { $0[self] ?? [:] }
            for listener in listeners.values { listener.yield() }
        }
        return stream
    }
}

import AppleIdentity
import Foundation
import SignInWithApple
import Synchronization

/// Apple's clock, by the `Date` field of its last response.
package final class AppleClock: Sendable {
    private let reading = Mutex<(date: Date, uptime: Duration)?>(nil)
    private let warnsAt: Mutex<Duration>
    private let time: TimeSource

    package init(time: TimeSource) {
        self.time = time
        warnsAt = Mutex(time.uptime + .seconds(3600))
    }

    /// Returns the transport, which then also reads the clock.
    package func reading(_ transport: AppleTransport) -> AppleTransport {
        AppleTransport { [self] request, body in
            let answer = try await transport.send(request, body: body)
            if let date = HTTPDate.parse(answer.head.headerFields[.date]) {
                reading.withLock { $0 = (date, time.uptime) }
            }
            return answer
        }
    }

    /// Whether to warn that there was no response yet: once an hour.
    func isWarningDue() -> Bool {
        warnsAt.withLock { warnsAt in
            guard time.uptime >= warnsAt else { return false }
            warnsAt = time.uptime + .seconds(3600)
            return true
        }
    }

    /// The time; nil before the first response.
    var now: Date? {
        reading.withLock(\.self).map { $0.date + ((time.uptime - $0.uptime) / .seconds(1)) }
    }
}

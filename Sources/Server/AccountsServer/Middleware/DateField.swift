import AppleIdentity
import Foundation
import Synchronization

/// The value of the `Date` header field, formatted once a second.
final class DateField: Sendable {
    private let time: TimeSource
    private let written = Mutex<(second: Int, text: String)>((.min, ""))

    init(time: TimeSource) {
        self.time = time
    }

    var text: String {
        let second = Int(time.now.timeIntervalSince1970.rounded(.down))
        return written.withLock { written in
            if written.second != second {
                let date = Date(timeIntervalSince1970: TimeInterval(second))
                written = (second, date.httpText)
            }
            return written.text
        }
    }
}

import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple

extension AppleTransport {
    /// The same transport with a `Date` field in each answer, as every real server sends it.
    func dated(by time: ManualTime) -> AppleTransport {
        AppleTransport { request, body in
            var (response, answer) = try await send(request, body: body)
            let form = Date.VerbatimFormatStyle(
                format: """
                    \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \
                    \(year: .defaultDigits) \
                    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
                    \(minute: .twoDigits):\(second: .twoDigits) GMT
                    """,
                locale: Locale(identifier: "en_US_POSIX"),
                timeZone: .gmt,
                calendar: Calendar(identifier: .gregorian)
            )
            response.headerFields[.date] = time.now.formatted(form)
            return (response, answer)
        }
    }
}

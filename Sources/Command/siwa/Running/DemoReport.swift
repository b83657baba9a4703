import Accounts
import AppleEmulator
import AppleIdentity
import Foundation
import Logging
import ServiceLifecycle

/// Writes one readable line to the terminal for each sign-in, mail, notification and problem of a demo.
struct DemoReport: Service {
    /// The maximum time that one call waits for a mail; then the next call begins.
    private static let maximumWait: Duration = .seconds(3_600)
    /// The maximum width of a text; the file has the rest.
    private static let maximumColumnCount = 240

    let log: DemoLog
    let store: AccountStore
    let emulator: AppleEmulator
    let lines = LockedValue(RepeatedLines())

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await event in log.events { await report(event) }
                }
                group.addTask { try? await reportMail() }
            }
        }
        lines.withLock { write($0.end()) }
    }

    private func write(_ kind: String, _ text: String) {
        let padding = String(repeating: " ", count: max(0, 12 - kind.count))
        let line = TextWidth.clipped(TerminalText.line(text), to: Self.maximumColumnCount)
        // Under the lock, or another task's line could come between a line and its count.
        lines.withLock { write($0.add("\(kind)\(padding)  \(line)")) }
    }

    private func write(_ lines: [String]) {
        let time = TimeSource.live.now.formatted(
            .verbatim(
                "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
                timeZone: .current,
                calendar: .current
            )
        )
        for line in lines { Terminal().writeError("\(time)  \(line)") }
    }

    private func report(_ event: LoggedEvent) async {
        let details = event.metadata
        switch event.message {
        case "signed in", "account created":
            write("sign-in", await signIn(event))
        case "sign-in refused", "sign-in on Android refused": writeRefusal(details)
        case "refused" where details["code"] == AccountsError.Code.appCodeInvalid.rawValue:
            writeRefusal(details)
        case "password refused" where details["purpose"] == "sign-in":
            write("sign-in", "refused: \(AccountsError.credentialsInvalid.hint)")
        case "password attempt throttled":
            write("sign-in", "refused for \(details["wait"] ?? "") seconds: too many attempts")
        case "a notification was received":
            write("notification", "\(await notification(details)): received")
        case "a notification was not received":
            let problem = details["status"].map { "status \($0)" } ?? details["error"] ?? ""
            write("notification", "\(await notification(details)): not received: \(problem)")
        default:
            guard event.level >= .warning else { return }
            let cause = details["hint"] ?? details["code"] ?? details["error"]
            write("\(event.level)", event.message + (cause.map { ": \($0)" } ?? ""))
        }
    }
}

extension DemoReport {
    private func writeRefusal(_ details: [String: String]) {
        write("sign-in", "refused: \(details["code"] ?? ""): \(details["hint"] ?? "")")
    }

    private func signIn(_ event: LoggedEvent) async -> String {
        let id = event.metadata["account"] ?? ""
        let account = try? await store.account(AccountID(rawValue: id))
        let names = [account?.name?.text ?? account?.username, account?.email?.text].compactMap(
            \.self
        )
        let way =
            switch event.metadata["way"] {
            case "web": "with Apple"
            case "native": "with Apple in an app"
            case "app_code": "in an app, through the browser"
            default: "with a password"
            }
        let isNew = event.message == "account created" || event.metadata["new"] == "true"
        return
            ((names.isEmpty ? ["account \(id)"] : names) + [way] + (isNew ? ["new account"] : []))
            .joined(separator: ", ")
    }

    private func notification(_ details: [String: String]) async -> String {
        let number = details["notification"].flatMap { Int($0) } ?? 0
        let list = try? await emulator.items(of: .notifications, after: number - 1)
        let found = list?.objects("notifications").first { $0["number"]?.integerValue == number }
        return
            "\(found?.cell("type") ?? "number \(number)") to \(found?.cell("url") ?? "the server")"
    }

    /// Writes a line for each new mail, delivered or refused.
    private func reportMail() async throws {
        let mail = WatchedList.mail(person: nil)
        var number = try await lastNumber(emulator.items(of: mail, after: .max))
        while !Task.isCancelled {
            try await emulator.waitForItem(of: mail, after: number, atMost: Self.maximumWait)
            let new = try await emulator.items(of: mail, after: number)
            for message in new.objects("messages") {
                let relay = message["relay_email"]?.stringValue.map { " through \($0)" } ?? ""
                let recipient = message.cell("delivered_to") + relay
                write("mail", "to \(recipient): \(message.cell("subject"))")
            }
            for bounce in new.objects("bounces") {
                write("mail", "to \(bounce.cell("to")): refused: \(bounce.cell("smtp"))")
            }
            number = lastNumber(new)
        }
    }

    private func lastNumber(_ list: JSONObject) -> Int { list["last_number"]?.integerValue ?? 0 }
}

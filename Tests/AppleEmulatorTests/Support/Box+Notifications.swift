import AppleEmulator
import AppleIdentity
import Foundation

extension Box {
    static let maya = "maya@example.com"

    /// The notifications that were made, or a member of each.
    func notifications() async -> [JSONObject] { await apple.notifications() }

    func texts(_ name: String) async -> [String?] {
        await notifications().map { $0[name]?.stringValue }
    }

    /// Requests a notification about an unknown user.
    @discardableResult func notify(_ changes: JSONObject = [:]) async throws -> JSONObject {
        let order: JSONObject = [
            "type": "consent-revoked", "client_id": .string(Self.app), "sub": "000123.a.0456",
        ]
        return try await apple.sendNotification(order.merging(changes))
    }

    /// Delivers due notifications with this status, and returns their number.
    @discardableResult func answerDue(_ status: Int, body: String = "") async -> Int {
        let due = await apple.takeDueDeliveries(maximumCount: 100)
        for request in due {
            await apple.record(.answer(status: status, body: Data(body.utf8)), of: request)
        }
        return due.count
    }

    /// The signed payloads of what is due.
    func duePayloads() async -> [String] {
        await apple.takeDueDeliveries(maximumCount: 100).map {
            let object = (try? JSONValue(parsing: $0.body))?.objectValue
            return object?["payload"]?.stringValue ?? ""
        }
    }

    func advance(bySeconds seconds: Int) async throws {
        _ = try await apple.moveClock(["advance_seconds": .integer(seconds)])
    }

    func changeSettings(_ changes: JSONObject) async throws {
        _ = try await apple.changeNotificationSettings(changes)
    }
}

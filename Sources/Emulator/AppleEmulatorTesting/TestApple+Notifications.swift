import AppleEmulator
import AppleIdentity
import Foundation

extension TestApple {
    private static let maximumBatchCount = 16

    /// Returns the notifications, oldest first, as `GET /notifications` does.
    ///
    /// - Returns: the notifications with state, claims, and the receiver's responses.
    package func notifications() async -> [JSONObject] { await emulator.notifications() }

    /// Delivers all due notifications to a function instead of the network.
    ///
    /// A notification whose receiver returns a status other than 200 is due again after a delay: call
    /// ``advance(by:)``, then deliver again.
    ///
    /// - Parameter receive: receives the exact body of Apple's request and returns the HTTP status;
    ///   an error counts as no response.
    /// - Returns: the number of delivery attempts.
    @discardableResult
    public func deliverNotifications(to receive: (Data) async throws -> Int) async -> Int {
        var attemptCount = 0
        while true {
            let due = await emulator.takeDueDeliveries(maximumCount: Self.maximumBatchCount)
            if due.isEmpty { return attemptCount }
            for request in due {
                await emulator.record(reply(to: request, from: receive), of: request)
            }
            attemptCount += due.count
        }
    }

    private func reply(
        to request: DeliveryRequest,
        from receive: (Data) async throws -> Int
    ) async -> DeliveryReply {
        do {
            return .answer(status: try await receive(request.body), body: Data())
        } catch {
            return .failure("the receiver failed: \(type(of: error))")
        }
    }
}

import AppleEmulator
import AppleIdentity
import Foundation

extension TestApple {
    private static let maximumBatchCount = 16

    /// The notifications that were made, oldest first, as `GET /notifications` shows them.
    ///
    /// - Returns: each with its state, claims, and the receiver's answers.
    package func notifications() async -> [JSONObject] { await emulator.notifications() }

    /// Hands over every notification that is due, as if it came over the network.
    ///
    /// One that is not answered with 200 is due again later: call ``advance(by:)`` and deliver again.
    ///
    /// - Parameter receive: is given the exact body of Apple's request, and answers the status;
    ///   when it throws, Apple is told nothing.
    /// - Returns: how many times it was called.
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

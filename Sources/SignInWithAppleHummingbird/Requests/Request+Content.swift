import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// The whole content, when it is of this type, not too large, and there in time.
    ///
    /// - Throws: ``ContentRefusal``, or what the connection failed with.
    package func content(
        type: String,
        maximumByteCount: Int,
        maximumSeconds: Int,
        time: TimeSource
    ) async throws -> Data {
        let announced = headers[.contentType]?
            .split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        guard announced == type else { throw ContentRefusal.unsupportedType(expected: type) }
        if let length = headers[.contentLength].flatMap(Int.init), length > maximumByteCount {
            throw ContentRefusal.tooLarge(maximumByteCount: maximumByteCount)
        }
        do {
            let buffer = try await collected(maximumByteCount, maximumSeconds, time)
            return Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ContentRefusal.tooLarge(maximumByteCount: maximumByteCount)
        }
    }

    /// A silent connection is closed by its idle time; this is for one that sends a byte now and then.
    private func collected(
        _ maximumByteCount: Int,
        _ maximumSeconds: Int,
        _ time: TimeSource
    ) async throws -> ByteBuffer {
        try await withThrowingTaskGroup { group in
            group.addTask { [body] in try await body.collect(upTo: maximumByteCount) }
            group.addTask {
                try await time.sleep(for: .seconds(maximumSeconds))
                throw ContentRefusal.tooSlow(maximumSeconds: maximumSeconds)
            }
            defer { group.cancelAll() }
            guard let buffer = try await group.next() else {
                throw ContentRefusal.tooSlow(maximumSeconds: maximumSeconds)
            }
            return buffer
        }
    }
}

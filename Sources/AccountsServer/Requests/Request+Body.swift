import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// The whole body, when it is of this type, not too large, and there in time.
    func body(type: String, byteCountMax: Int, time: TimeSource) async throws -> Data {
        let announced = headers[.contentType]?
            .split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        guard announced == type else { throw ServerError.unsupportedContentType(type) }
        if let length = headers[.contentLength].flatMap(Int.init), length > byteCountMax {
            throw ServerError.tooLarge(byteCountMax: byteCountMax)
        }
        do {
            let buffer = try await collected(upTo: byteCountMax, time)
            return Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ServerError.tooLarge(byteCountMax: byteCountMax)
        }
    }

    /// A silent connection is closed by its idle time; this is for one that sends a byte now and then.
    private func collected(upTo byteCountMax: Int, _ time: TimeSource) async throws -> ByteBuffer {
        try await withThrowingTaskGroup { group in
            group.addTask { [body] in try await body.collect(upTo: byteCountMax) }
            group.addTask {
                try await time.sleep(for: .seconds(ServerLimits.bodyDeadline))
                throw ServerError.requestTooSlow
            }
            defer { group.cancelAll() }
            guard let buffer = try await group.next() else { throw ServerError.requestTooSlow }
            return buffer
        }
    }

    func jsonFields(time: TimeSource) async throws -> JSONFields {
        try JSONFields(
            try await body(
                type: "application/json",
                byteCountMax: ServerLimits.jsonByteCountMax,
                time: time
            )
        )
    }

    func form(
        byteCountMax: Int = ServerLimits.formByteCountMax,
        time: TimeSource
    ) async throws -> PostedForm {
        let body = try await formBody(byteCountMax: byteCountMax, time: time)
        guard let form = PostedForm(body) else {
            throw ServerError.unreadableForm("a broken escape, not UTF-8, or too many fields")
        }
        return form
    }

    func formBody(byteCountMax: Int, time: TimeSource) async throws -> Data {
        try await body(
            type: "application/x-www-form-urlencoded",
            byteCountMax: byteCountMax,
            time: time
        )
    }
}

import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import SignInWithApple

extension Request {
    /// The whole content, when it is of this type, not too large, and there in time.
    ///
    /// - Throws: ``RefusedSignIn``, or what ended the task.
    package func content(
        type: String,
        maximumByteCount: Int,
        time: TimeSource
    ) async throws -> Data {
        let announced = headers[.contentType]?
            .split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        guard announced == type else { throw RefusedSignIn.unsupportedContentType(type) }
        if let length = headers[.contentLength].flatMap(Int.init), length > maximumByteCount {
            throw RefusedSignIn.contentTooLarge(maximumByteCount)
        }
        do {
            let buffer = try await collected(maximumByteCount, time)
            return Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw RefusedSignIn.contentTooLarge(maximumByteCount)
        } catch is HTTPParserError {
            throw RefusedSignIn.contentMalformed
        }
    }

    /// The members of the JSON object that the content is.
    package func jsonFields(maximumByteCount: Int, time: TimeSource) async throws -> JSONFields {
        let body = try await content(
            type: "application/json",
            maximumByteCount: maximumByteCount,
            time: time
        )
        do {
            return JSONFields(try JSONObject(parsing: body))
        } catch {
            throw RefusedSignIn.jsonUnreadable("\(error)")
        }
    }

    /// The fields of a form, in order.
    package func form(
        maximumByteCount: Int,
        time: TimeSource
    ) async throws -> [(name: String, value: String)] {
        let body = try await content(
            type: Self.formType,
            maximumByteCount: maximumByteCount,
            time: time
        )
        guard let fields = FormCoding.decode(body), fields.count <= Self.maximumFormFieldCount
        else {
            throw RefusedSignIn.formUnreadable
        }
        return fields
    }

    package static let formType = "application/x-www-form-urlencoded"
    private static let maximumFormFieldCount = 32

    /// A silent connection is closed by its idle time; this is for one that sends a byte now and then.
    private func collected(
        _ maximumByteCount: Int,
        _ time: TimeSource
    ) async throws -> ByteBuffer {
        try await time.within(
            .seconds(RouteLimits.maximumBodySeconds),
            late: RefusedSignIn.requestTooSlow
        ) { [body] in
            try await body.collect(upTo: maximumByteCount)
        }
    }
}

import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// The whole body, when it is of this type and not too large.
    func body(type: String, byteCountMax: Int) async throws -> Data {
        let announced = headers[.contentType]?
            .split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        guard announced == type else { throw ServerError.unsupportedContentType(type) }
        if let length = headers[.contentLength].flatMap(Int.init), length > byteCountMax {
            throw ServerError.tooLarge(byteCountMax: byteCountMax)
        }
        do {
            let buffer = try await body.collect(upTo: byteCountMax)
            return Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ServerError.tooLarge(byteCountMax: byteCountMax)
        }
    }

    func jsonFields() async throws -> JSONFields {
        try JSONFields(
            try await body(
                type: "application/json",
                byteCountMax: ServerLimits.jsonByteCountMax
            )
        )
    }

    func form(byteCountMax: Int = ServerLimits.formByteCountMax) async throws -> PostedForm {
        let body = try await formBody(byteCountMax: byteCountMax)
        guard let form = PostedForm(body) else {
            throw ServerError.unreadableForm("a broken escape, not UTF-8, or too many fields")
        }
        return form
    }

    func formBody(byteCountMax: Int) async throws -> Data {
        try await body(type: "application/x-www-form-urlencoded", byteCountMax: byteCountMax)
    }
}

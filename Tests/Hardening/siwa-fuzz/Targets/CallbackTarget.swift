import AppleIdentity
import Foundation

@testable import SignInWithApple

/// The form that a browser posts to the redirect address.
struct CallbackTarget: FuzzTarget {
    private let realToken: String

    init() throws {
        realToken = try SeedFiles.tokens().first ?? ""
    }

    func seeds() -> [Data] {
        [
            "state=s&code=c.0.m.1-_&id_token=\(realToken)&user=%7B%22email%22%3A%22a%40b.example%22%7D",
            "state=s&code=c", "state=s&error=user_cancelled_authorize", "error=invalid_scope",
            "code=c&code=d", "code=c&error=e", "", "&&&", "=", "code=%", "code=%4", "code=%c3%28",
            "code=a+b%20c%2B&state=%F0%9F%98%80&user=%7B%7D", "a=1&b=2&c=3&d&e=", "code=c=d",
        ]
        .map { Data($0.utf8) }
    }

    func test(_ input: Data) {
        testCoding(input)
        let outcome = read(input)
        Refusals.checkSame(outcome, read(input))
        switch outcome {
        case .failure(let error):
            promise([.callbackMalformed, .stateDuplicate].contains(error.code), "\(error.code)")
            Refusals.check(error)
        case .success(let callback): check(callback, input)
        }
    }

    private func read(_ input: Data) -> Result<AuthorizationCallback, SignInError> {
        Result { () throws(SignInError) in try AuthorizationCallback(formBody: input) }
    }

    private func check(_ callback: AuthorizationCallback, _ input: Data) {
        promise(input.count <= CallbackForm.maximumByteCount, "longer than the limit")
        promise(callback.state?.utf8.count ?? 0 <= 2048, "a state beyond the limit")
        switch callback.outcome {
        case .authorized(let authorization):
            promise((1...1024).contains(authorization.code.utf8.count), "a code beyond the limit")
            promise(authorization.identityToken?.utf8.count ?? 0 <= 16_384, "a token beyond it")
        case .refused(let code):
            promise((1...128).contains(code.rawValue.utf8.count), "an error beyond the limit")
        }
        do throws(SignInError) {
            _ = try callback.authorization()
        } catch {
            Refusals.check(error)
        }
    }

    /// Fields survive being written, and Foundation decodes the escapes alike.
    private func testCoding(_ input: Data) {
        guard let fields = FormCoding.decode(input) else { return }
        let again = FormCoding.decode(Data(FormCoding.encode(fields).utf8)) ?? []
        promise(again.map(\.name) == fields.map(\.name), "other names after writing")
        promise(again.map(\.value) == fields.map(\.value), "other values after writing")
        guard let text = String(validating: input, as: UTF8.self) else { return }
        for (pair, field) in zip(text.utf8.split(separator: UInt8(ascii: "&")), fields) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
                .map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            let decoded = String(decoding: name, as: UTF8.self).removingPercentEncoding
            promise(decoded == field.name, "Foundation decodes the name otherwise")
        }
    }
}

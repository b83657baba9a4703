import AppleIdentity
import Foundation
import SignInWithApple
import Testing

@Suite struct AuthorizationCallbackTests {
    private let user =
        #"{"name":{"firstName":"Maya","lastName":"O'Neil +1"},"email":"m@example.com"}"#

    private func body(_ fields: [(String, String)]) -> Data {
        let allowed = CharacterSet.alphanumerics
        let text = fields.map { name, value in
            name + "=" + (value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
        }
        return Data(text.joined(separator: "&").utf8)
    }

    private func read(_ fields: [(String, String)]) throws(SignInError) -> AuthorizationCallback {
        try AuthorizationCallback(formBody: body(fields))
    }

    private func read(_ text: String) throws(SignInError) -> AuthorizationCallback {
        try AuthorizationCallback(formBody: Data(text.utf8))
    }

    @Test func firstAuthorization() throws {
        let callback = try read([
            ("state", "s t"), ("code", "c.0.x"), ("id_token", "a.b.c"), ("user", user),
        ])
        #expect(callback.state == "s t")
        #expect(callback.code == "c.0.x")
        #expect(callback.identityToken == "a.b.c")
        #expect(callback.user?.name == PersonName(givenName: "Maya", familyName: "O'Neil +1"))
        #expect(callback.user?.email == "m@example.com")
        #expect(callback.error == nil)
        #expect(try callback.authorization().code == "c.0.x")
    }

    @Test func laterAuthorization() throws {
        let callback = try read("state=s&code=c")
        #expect(callback.identityToken == nil)
        #expect(callback.user == nil)
        #expect(try read("state=s&code=c&user=").user == nil)
    }

    @Test func plusIsASpaceAndNamesKeepTheirCharacters() throws {
        #expect(try read("state=a+b%2Bc&code=c").state == "a b+c")
        let user = #"{"name":{"firstName":"Zoë 🍏","lastName":"李"}}"#
        let callback = try read([("code", "c"), ("user", user)])
        #expect(callback.user?.name?.displayName == "Zoë 🍏 李")
    }

    @Test func cancellation() async throws {
        let callback = try read("error=user_cancelled_authorize&state=s")
        #expect(callback.outcome == .refused(.userCancelledAuthorize))
        #expect(callback.state == "s")
        #expect(callback.code == nil)
        await expectRefusal(.authorizationCancelled) { try callback.authorization() }
    }

    @Test func otherErrors() async throws {
        let callback = try read("error=server_error&state=s")
        #expect(callback.error?.rawValue == "server_error")
        await expectRefusal(.appleRefusedRequest) { try callback.authorization() }
    }

    @Test(arguments: [
        "", "state=s", "code=&state=s", "code=c&code=c",
        "code=c&x=1&x=2", "code=c&error=access_denied", "code=%", "code=%4", "code=%zz",
        "code=%FF%FE",
    ])
    func malformedForms(text: String) async {
        await expectRefusal(.callbackMalformed) { try read(text) }
    }

    @Test(arguments: [("code", 1024), ("id_token", 16_384), ("state", 2048), ("error", 128)])
    func fieldsHaveLimits(name: String, maximumByteCount: Int) async throws {
        let code = name == "code" || name == "error" ? [] : [("code", "c")]
        let longest = String(repeating: "a", count: maximumByteCount)
        _ = try read(code + [(name, longest)])
        await expectRefusal(.callbackMalformed) { try read(code + [(name, longest + "a")]) }
    }

    @Test func stateTwiceHasItsOwnCode() async {
        await expectRefusal(.stateDuplicate) { try read("code=c&state=a&state=a") }
    }

    @Test(arguments: [
        "user=Maya", "user=%5B%5D", "user=%7B%22name%22%3A%22Maya%22%7D",
        "user=%7B%22name%22%3A%7B%22firstName%22%3A7%7D%7D", "user=null",
        "user=%7B%7D&user=%7B%7D",
    ])
    func brokenUserCostsOnlyTheName(_ user: String) throws {
        let callback = try read("state=s&code=c&" + user)
        #expect(callback.user == nil)
        #expect(try callback.authorization().isUserUnreadable)
    }

    @Test func userFieldHasALimit() throws {
        let frame = #"{"name":{"firstName":""}}"#.utf8.count
        func isUnreadable(byteCount: Int) throws -> Bool {
            let name = String(repeating: "a", count: byteCount - frame)
            return try read([("code", "c"), ("user", #"{"name":{"firstName":"\#(name)"}}"#)])
                .authorization().isUserUnreadable
        }
        #expect(try !isUnreadable(byteCount: 65_536))
        #expect(try isUnreadable(byteCount: 65_537))
        let deep = String(repeating: "[", count: 20_000)
        #expect(try read([("code", "c"), ("user", deep)]).authorization().isUserUnreadable)
    }

    @Test func longestNameOfEmojiIsRead() throws {
        let name = String(repeating: "👩🏽‍❤️‍💋‍👩🏿", count: 200)
        let escaped = name.utf16.map { unit in
            "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
                + String(unit, radix: 16)
        }
        for text in [name, escaped.joined()] {
            let user = #"{"name":{"firstName":"\#(text)"}}"#
            let callback = try read("code=c&user=" + user.replacing("\\", with: "%5C"))
            #expect(callback.user?.name?.givenName == name)
        }
    }

    @Test func wholeFormHasLimits() async {
        let many = (0..<17).map { "f\($0)=1" }.joined(separator: "&")
        await expectRefusal(.callbackMalformed) { try read("code=c&" + many) }
        let long = String(repeating: "a", count: 192 * 1024)
        await expectRefusal(.callbackMalformed) { try read("code=c&x=" + long) }
    }
}
